// The frame of every page.
export const app = {
  name: 'ken',
  motto: 'know who knows what',
  skip: 'Skip to content',
  nav: 'Main',
  play: 'Play',
  logic: 'Logic',
  lab: 'Lab',
  learn: 'Learn',
  loading: 'Loading…',
  footer: 'Every statement about knowledge here is computed, and every proof is checked.',
  notFound: 'There is no such page.',
  toHome: 'To the games',
  pageFailed: 'This page could not be loaded. Check your connection, then try again.',
  again: 'Try again',
  title: (page: string) => `${page} – ken`,
};

export const titles = {
  home: 'Games of knowledge',
  new: 'New match',
  match: 'Match',
  replay: 'Replay',
  join: 'Join a match',
  shared: 'A shared seat',
  logic: 'Logic',
  lab: 'Lab',
  learn: 'Learn',
};

export const errors = {
  offline: 'The server does not answer.',
  offlineHelp: 'Nothing is lost: every move is saved as it is made. Try again in a moment.',
  status: (status: number) => `The server answered with an error (${status}).`,
};

export const parts = {
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied.',
  copyByHand: 'Copy the marked text.',
};

export const keys = {
  title: 'Keys',
  tab: 'go to the next thing that can be used; Enter or Space uses it',
  list: 'show this list',
  single: 'Single keys do something (turn this off if they get in your way)',
};
