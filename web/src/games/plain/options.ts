// Options as buttons: those that begin with the same word stand together.

/** Options with the same first word. */
export interface OptionGroup {
  verb: string;
  options: { action: string }[];
}

/** The options by their first words, in the order in which the words first come. */
export function grouped(options: readonly string[]): OptionGroup[] {
  const groups: OptionGroup[] = [];
  for (const action of options) {
    const verb = action.split(' ')[0] ?? action;
    const group = groups.find((each) => each.verb === verb);
    if (group) group.options.push({ action });
    else groups.push({ verb, options: [{ action }] });
  }
  return groups;
}
