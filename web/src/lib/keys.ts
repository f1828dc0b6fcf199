// Single keys that do something, and the list of them that `?` shows.

/** A key with what it does. Without `run` it is only listed: a part of the page handles it itself. */
export interface Key {
  key: string;
  what: string;
  run?: () => void;
}

/** The part of a keyboard event that is looked at. */
export interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  defaultPrevented: boolean;
  target: EventTarget | null;
}

const TYPING = ['INPUT', 'TEXTAREA', 'SELECT'];

/** Whether a key pressed there is meant as text. */
export function typing(target: EventTarget | null): boolean {
  const element = target as { tagName?: string; isContentEditable?: boolean; type?: string } | null;
  if (!element?.tagName) return false;
  if (element.isContentEditable) return true;
  return TYPING.includes(element.tagName) && !['checkbox', 'radio', 'button'].includes(element.type ?? '');
}

/** The key of the list that was pressed, if it is meant for the page. */
export function pressed(event: Pressed, keys: readonly Key[]): Key | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return undefined;
  return keys.find((key) => key.run && key.key === event.key);
}

const OFF = 'ken-single-keys-off';

/** Whether single keys are on: they can be turned off for those whom they disturb. */
export const singleKeys = {
  get on(): boolean {
    return localStorage.getItem(OFF) === null;
  },
  set on(on: boolean) {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, 'yes');
  },
};
