// The board of games that have none of their own.
export const plain = {
  open: 'On the table',
  own: 'Your own',
  may: 'What you may do',
};
