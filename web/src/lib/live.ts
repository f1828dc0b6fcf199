// News of a match: the server says that something changed, the page asks again.

/** Whether news come. */
export type LiveState = 'live' | 'waiting';

/** Where news come from; the browser's `EventSource`, or a stand-in for tests. */
export interface Source {
  onopen: (() => void) | null;
  onerror: (() => void) | null;
  addEventListener(name: 'changed', heard: (event: { data: string }) => void): void;
  close(): void;
}

/** The wait before the n-th attempt to listen again: soon, then ever longer, at most half a minute. */
export const pause = (attempt: number): number => Math.min(30_000, 500 * 2 ** attempt);

/**
 * Listens to a match. `changed` is called with each new revision, and with nothing after a gap in which news may have
 * been missed. The answer stops it.
 */
export function listen(
  url: string,
  changed: (revision?: number) => void,
  state: (state: LiveState) => void,
  open: (url: string) => Source = (address) => new EventSource(address) as unknown as Source,
): () => void {
  let source: Source | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;
  let gap = false;
  const start = (): void => {
    const current = open(url);
    source = current;
    current.onopen = () => {
      attempt = 0;
      state('live');
      if (gap) changed();
      gap = false;
    };
    current.addEventListener('changed', (event) => {
      try {
        changed((JSON.parse(event.data) as { revision: number }).revision);
      } catch {
        changed();
      }
    });
    // The browser gives up on some errors and hammers on others, so the waiting is ours.
    current.onerror = () => {
      current.close();
      gap = true;
      state('waiting');
      timer = setTimeout(start, pause(attempt));
      attempt += 1;
    };
  };
  // A page that nobody sees does not listen: a browser has few connections for each server.
  const look = (): void => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
    gap = true;
    if (!document.hidden) start();
  };
  document.addEventListener('visibilitychange', look);
  if (!document.hidden) start();
  else gap = true;
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(timer);
    source?.close();
  };
}
