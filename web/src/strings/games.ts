// The games.
export const games = {
  cluedo: {
    title: 'Cluedo',
    idea: 'Three hidden cards. Ask, watch who answers, and be the first to know.',
    rules: [
      'One suspect, one weapon and one room lie in the envelope. The other cards are dealt.',
      'In your turn ask for one card of each kind. The others answer in order: the first who holds one of them shows you one, and only you see which.',
      'Everybody sees who answered and who could not. That is how you find out.',
      'Then end your turn, or accuse: name the three cards. Right wins. You can accuse once.',
    ],
  },
  express: {
    title: 'Eleusis Express',
    idea: 'A secret rule decides which card may follow. Find it by playing.',
    rules: [
      'The dealer has a secret rule about which card may follow the line.',
      'In your turn try a card. Accepted, it joins the line; refused, it hangs below, and you draw.',
      'Or say that none of your cards fits: no play. If you are wrong, you draw.',
      'After a right play you may name the rule. Whoever is right ends the round; a wrong guess draws.',
    ],
  },
  eleusis: {
    title: 'Eleusis',
    idea: 'The game of 1959: get rid of your cards under a rule that only the dealer knows.',
    rules: [
      'The dealer has a secret rule about which card may follow the line, and does not play.',
      'Try a card. Accepted, it joins the line and you go on; refused, it comes back to your hand and the turn passes.',
      'The round ends with an empty hand, or when the dealer has judged often enough.',
    ],
  },
  yokai: {
    title: 'Yōkai',
    idea: 'Two partners, no talking. Bring the colours together from what each has seen.',
    rules: [
      'Sixteen cards of four colours lie face down. You win together if every colour ends up in one piece.',
      'In your turn look at two cards (only you see the colours), move one so that all stay connected, then draw a hint or lay one on a card.',
      'A hint names the colours that its card may have. A card with a hint can no longer be looked at or moved.',
      'Instead of a turn you may stop. The fewer hints, the more a win is worth.',
    ],
  },
} as Record<string, { title: string; idea: string; rules: string[] }>;
