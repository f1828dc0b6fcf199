/** The step that clicks on cards are meant for. */
export type Mode = 'look' | 'move' | 'hint';

/** The steps in the order of the rules. */
export const MODES: readonly Mode[] = ['look', 'move', 'hint'];
