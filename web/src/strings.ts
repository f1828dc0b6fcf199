// Every English text of the pages, a section for each. What the engine says (log lines, requests, proofs) comes from the server.

export const strings = {
  app: {
    name: 'ken',
    motto: 'know who knows what',
    skip: 'Skip to content',
    nav: 'Main',
    play: 'Play',
    logic: 'Logic',
    lab: 'Lab',
    learn: 'Learn',
    loading: 'Loading…',
    keys: 'Keys',
    footer: 'Every statement about knowledge here is computed, and every proof is checked.',
    notFound: 'There is no such page.',
    toHome: 'To the games',
    pageFailed: 'This page could not be loaded. Check your connection, then try again.',
    again: 'Try again',
  },
  titles: {
    home: 'Games of knowledge',
    new: 'New match',
    match: 'Match',
    replay: 'Replay',
    join: 'Join a match',
    shared: 'A shared seat',
    logic: 'Logic',
    lab: 'Lab',
    learn: 'Learn',
  },
};
