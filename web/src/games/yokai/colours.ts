// The colours in letters and words.
import { strings } from '../../strings';

/** The letter of a colour, as in actions. */
export const letter = (colour: string): string => colour.charAt(0);

/** A hint as actions write it: `rg`. */
export const letters = (hint: readonly string[]): string => hint.map(letter).join('');

/** "red or green". */
export const words = (colours: readonly string[]): string => colours.map((colour) => strings.yokai.colours[colour] ?? colour).join(strings.yokai.or);
