// The keys of the parts of the page that are there now.
import { onDestroy, untrack } from 'svelte';
import type { Key } from './keys';

class Keyboard {
  groups = $state.raw<readonly (readonly Key[])[]>([]);
  readonly keys = $derived(this.groups.flat());
}

export const keyboard = new Keyboard();

/** Adds keys for as long as the component that calls this is there. */
export function useKeys(keys: readonly Key[]): void {
  untrack(() => {
    keyboard.groups = [...keyboard.groups, keys];
  });
  onDestroy(() => {
    keyboard.groups = keyboard.groups.filter((group) => group !== keys);
  });
}
