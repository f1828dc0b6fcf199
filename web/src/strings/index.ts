// Every English text of the pages, a section for each. What the engine says (log lines, requests, proofs) comes from the server.
import { cluedo } from './cluedo';
import { eleusis } from './eleusis';
import { begin, home, join, shared } from './home';
import { lab, learn } from './learn';
import { logic } from './logic';
import { hint, inspector, match, replay, result, timeline } from './match';
import { plain } from './plain';
import { app, errors, keys, parts, titles } from './shell';
import { position } from './position';
import { yokai } from './yokai';
import { capital, percent } from './words';

export const strings = {
  percent,
  capital,
  app,
  titles,
  errors,
  parts,
  keys,
  home,
  new: begin,
  join,
  shared,
  match,
  result,
  hint,
  cluedo,
  logic,
  inspector,
  timeline,
  replay,
  position,
  eleusis,
  yokai,
  plain,
  learn,
  lab,
};
