// Positions without a match.
export const position = {
  heading: 'A position',
  lead: 'What one seat has seen, without a match: who knows what in it, and why.',
  game: 'Game',
  text: 'The position, as the commands of ken read and write it',
  open: 'Open',
  link: 'Link to this position',
  damaged: 'This link is damaged: it holds no position.',
  observer: (seat: number) => `seat ${seat} (the observer)`,
  seat: (seat: number) => `seat ${seat}`,
  take: 'Take this position along',
  takeAbout: 'What this seat has seen, and nothing else: as a link that opens it without the match, and as files for the terminal.',
  save: 'Save the position (JSON)',
  saveModel: 'Save it as a model (.ken)',
  noModel: (why: string) => `There is no model of it: ${why}.`,
};
