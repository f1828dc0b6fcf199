// Which lessons are done: kept in this browser and nowhere else.

const KEY = 'ken.learn.done';

/** The names in a stored text; what is not a list of names is nothing. */
export function read(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

class Progress {
  done = $state<string[]>([]);

  constructor() {
    try {
      this.done = read(localStorage.getItem(KEY));
    } catch {
      // A browser that keeps nothing still shows the lessons.
    }
  }

  has(lesson: string): boolean {
    return this.done.includes(lesson);
  }

  add(lesson: string): void {
    if (!this.has(lesson)) this.keep([...this.done, lesson]);
  }

  clear(): void {
    this.keep([]);
  }

  private keep(done: string[]): void {
    this.done = done;
    try {
      localStorage.setItem(KEY, JSON.stringify(done));
    } catch {
      // It is kept until the page is closed.
    }
  }
}

export const progress = new Progress();
