// The home page, new matches, invitations and links.
export const home = {
  heading: 'Know who knows what',
  lead: 'Games in which knowing is everything. Play against machines or with friends, and ask at any moment: who knows this, since when, and why?',
  play: 'Play now',
  options: 'Seats and options',
  dealing: 'Dealing…',
  continue: 'Continue',
  open: 'going on',
  moves: (n: number) => (n === 1 ? '1 move' : `${n} moves`),
  older: 'Show all',
  damagedMatch: 'A match that cannot be opened',
  damagedWhy: (why: string) => `Damaged: ${why}.`,
  saved: 'Download what can be saved',
  unsaved: 'No seat of it can be told to be yours, so nothing of it can be shown to you.',
  logic: { title: 'Check a formula', text: 'Write a model, draw it, announce something, and watch worlds disappear.', go: 'Open the workbench' },
  puzzle: {
    title: 'A puzzle to try',
    text: 'Three children, some with muddy foreheads. “At least one of you is muddy.” Nobody answers, twice. Then all the muddy ones know. Why?',
    go: 'Think it through',
  },
  when: (seconds: number) => {
    const minutes = Math.round(seconds / 60);
    if (minutes < 1) return 'just now';
    if (minutes < 60) return `${minutes} min ago`;
    const hours = Math.round(minutes / 60);
    if (hours < 48) return `${hours} h ago`;
    return `${Math.round(hours / 24)} days ago`;
  },
};

export const begin = {
  noGame: (name: string) => `There is no game “${name}” here.`,
  heading: (game: string) => `New match: ${game}`,
  seats: 'Seats',
  seat: (n: number) => `Seat ${n}`,
  sitter: (n: number) => `Who sits at seat ${n}`,
  me: 'You',
  meAgain: 'You, or somebody beside you',
  friend: 'A friend, by link',
  machine: (name: string) => `Machine: ${name}`,
  add: 'Add a seat',
  remove: (n: number) => `Remove seat ${n}`,
  removeShort: 'Remove',
  pass: 'Several seats on this device: the page hides each hand while you pass it on.',
  machinesOnly: 'Nobody but machines: you can watch, and see everything at the end.',
  options: 'Options',
  helper: 'How much the page helps you',
  helperAbout: 'Chosen before the deal, kept in the record. The cards are the same at every level.',
  levels: [
    { name: 'Paper', text: 'A notebook and nothing else. You think.' },
    { name: 'Checked', text: 'Your own notes are checked: what does not follow yet is underlined, what cannot be is struck out.' },
    { name: 'Filled in', text: 'Whatever follows from what you saw is filled in for you.' },
    { name: 'Inspector', text: 'Ask who knows what, since when and why; see exact chances.' },
    { name: 'Advice', text: 'All of that, and hints in steps when you ask for them.' },
  ],
  seed: 'Seed (optional)',
  seedAbout: 'The same seed deals the same cards. The match is then marked as one whose deal somebody may know.',
  deal: 'Deal',
  dealing: 'Dealing…',
};

export const join = {
  heading: 'You are invited',
  lead: 'This link takes a seat for you. It works once.',
  take: 'Take the seat',
};

export const shared = {
  heading: 'A shared seat',
  lead: (seat: number) => `What seat ${seat} saw, and nothing else. You can look, not play.`,
};
