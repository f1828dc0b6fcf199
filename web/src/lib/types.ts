// The types of the wire, as crates/server/src/api has them. A generated file with the same names takes this one's place.

/** What is wrong with a request, for people and for programs. */
export interface Problem {
  /** A stable word: `not-your-turn`, `illegal`, `no-such-match`, … */
  code: string;
  /** What is wrong; it tells nothing that the asker may not know. */
  message: string;
  /** What to try instead. */
  help: string | null;
  /** Places in the text that was sent, if it is about a text. */
  marks?: Squiggle[];
}

/** A place in a text with what is wrong there. */
export interface Squiggle {
  /** Where it begins, in UTF-16 units as editors count. */
  from: number;
  /** Where it ends. */
  to: number;
  /** `error` or `warning`. */
  severity: string;
  /** What is wrong. */
  message: string;
  /** What to try. */
  help: string | null;
}

/** A game that can be played here. */
export interface GameInfo {
  /** Its name, as in paths and records: `cluedo`, `express`, `eleusis`, `yokai`. */
  name: string;
  /** Its name for people. */
  title: string;
  /** What it is about, in a line. */
  about: string;
  /** How many can play. */
  seats: number[];
  /** How many play unless it is changed. */
  usual: number;
  /** What can be chosen before the deal. */
  options: OptionInfo[];
  /** The machine players, from easy to strong as far as it was measured. */
  players: PlayerInfo[];
  /** The machine player that is seated unless another is chosen. */
  rival: string;
  /** The names that a seat has in this game: `player`, or `dealer` and `player`. */
  roles: string[];
}

/** An option of a game. */
export interface OptionInfo {
  /** Its name in the options object. */
  name: string;
  /** A short label. */
  label: string;
  /** What it does, in a sentence. */
  about: string;
  /** The values to choose from. */
  choices: ChoiceInfo[];
  /** The value unless it is changed. */
  usual: unknown;
}

/** A value of an option. */
export interface ChoiceInfo {
  /** The value. */
  value: unknown;
  /** What it means. */
  label: string;
}

/** A machine player. */
export interface PlayerInfo {
  /** Its name. */
  name: string;
  /** Its idea. */
  about: string;
}

/** A match to be begun. */
export interface NewMatch {
  /** The game's name. */
  game: string;
  /** Its options; what is not given has its default. The number of players follows from `seats`. */
  options?: unknown;
  /** Who sits where. */
  seats: Sitter[];
  /** The helper level of people, 0 to 4. */
  helper?: number;
  /** The seed, if a certain deal is wanted; the match is then marked as one whose deal somebody may know. */
  seed?: string | null;
}

/** A match that was begun. */
export interface Begun {
  /** The name of the match, for paths. */
  id: string;
  /** The game's name. */
  game: string;
  /** Invitations for the seats of friends. Each can be used once. */
  invites: Invite[];
}

/** An invitation to a seat. */
export interface Invite {
  /** The seat. */
  seat: number;
  /** The code: `/join/CODE` takes the seat. */
  code: string;
}

/** A seat that was taken by an invitation. */
export interface Joined {
  /** The match. */
  id: string;
  /** The game's name. */
  game: string;
  /** The seat. */
  seat: number;
}

/** A seat as everybody sees it. */
export interface SeatInfo {
  /** The seat, from 0. */
  seat: number;
  /** `person`, `friend` (nobody has come yet) or `machine`. */
  kind: string;
  /** The machine's name, or empty. */
  player: string;
  /** Whether it is held by the one who asks. */
  mine: boolean;
  /** The helper level. */
  helper: number;
}

/** How a match ended. */
export interface Ended {
  /** A score for each seat; more is better. */
  scores: number[];
  /** The end in a few words. */
  words: string;
  /** The deal in words: no secret any more. */
  deal: string;
  /** The seed: no secret any more. */
  seed: string;
  /** The seat that forfeited, if one did. */
  forfeit: number | null;
}

/** A table as everybody sees it who knows the name of the match. */
export interface TableInfo {
  /** The name of the match. */
  id: string;
  /** The game's name. */
  game: string;
  /** Its options. */
  options: unknown;
  /** The seats. */
  seats: SeatInfo[];
  /** How often something has changed; live messages carry it. */
  revision: number;
  /** How many events there are, the deal included. */
  events: number;
  /** The seat to move; none when the match is over. */
  turn: number | null;
  /** What anybody at the table could see, a line each. */
  log: LogLine[];
  /** How it ended. */
  ended: Ended | null;
  /** Whether the deal was asked for by its seed. */
  seeded: boolean;
  /** The match and the entry that it goes on from. */
  branch: BranchInfo | null;
  /** Whether everybody who played agreed that the record may be used for study; none while it goes on. */
  consent: boolean | null;
}

/** Where a match comes from that goes on from another. */
export interface BranchInfo {
  /** The other match. */
  origin: string;
  /** How many of its entries this one begins with. */
  at: number;
}

/** A line of the log. */
export interface LogLine {
  /** The event, the deal being 0: `?at=` one more shows the page after it. */
  event: number;
  /** The number that proofs use for it, if it has one. */
  number: number | null;
  /** What was seen. */
  text: string;
}

/** A match in a list. */
export interface Summary {
  /** The name of the match. */
  id: string;
  /** The game's name. */
  game: string;
  /** The seats of the one who asks. */
  mine: number[];
  /** The players by seat: `you`, `friend` or the machine's name. */
  players: string[];
  /** When something last happened, in seconds since 1970. */
  touched: number;
  /** How many entries there are. */
  moves: number;
  /** How it ended. */
  ended: string | null;
}

/** A move. */
export interface Move {
  /** The action in the game's notation, as it stands in the log. */
  action: string;
  /** The revision of the page on which it was chosen: a move that was sent twice is refused. */
  revision: number;
}

/** A move that is stored. */
export interface Moved {
  /** The revision after it. */
  revision: number;
}

/** Where to go on from. */
export interface BranchFrom {
  /** How many events of the match are kept, the deal included. */
  events: number;
  /** Who sits where in the new match. */
  seats: Sitter[];
  /** The helper level of people. */
  helper?: number;
}

/** A link by which a seat's sights, and nothing else, can be looked at. */
export interface Shared {
  /** The code: `/shared/CODE` opens the page, read only. */
  code: string;
}

/** Whether a finished match may be used for study. */
export interface Consent {
  /** Yes or no; it can be changed. */
  agree: boolean;
}

/** The private notes of a seat. */
export interface Notes {
  /** A mark for each place that was marked: in Cluedo `rope/2` or `rope/envelope` to `✓`, `✗` or `?`. */
  marks: Record<string, string>;
}

/** The page of a seat. */
export interface Desk {
  /** The name of the match. */
  id: string;
  /** The game's name. */
  game: string;
  /** Whose page. */
  seat: number;
  /** The seats. */
  seats: SeatInfo[];
  /** How often something has changed. */
  revision: number;
  /** How many events are shown, the deal included; less than `of` when the page is of the past. */
  at: number;
  /** How many events there are. */
  of: number;
  /** The seat to move after the events that are shown. */
  turn: number | null;
  /** What is to be done now, in words; empty for others than the seat to move. */
  request: string;
  /** Every action that is allowed, in notation; empty unless it is the seat's turn and the page is of now. The last word of an open action is a placeholder: see `open`. */
  options: string[];
  /** The first words of open actions that are allowed: `guess`, `rule`. A text is to follow. */
  open: string[];
  /** What was seen, a line each. */
  log: LogLine[];
  /** Whether the last action may be taken back by this seat. */
  undo: Undo;
  /** The helper level. */
  helper: number;
  /** The board. */
  board: Board;
  /** The private notes of the seat. */
  notes: Notes;
  /** Notes that do not follow from what was seen, from helper level 1 on. */
  unfounded: string[];
  /** How the match ended, once it is over and the page is of the end. */
  ended: Ended | null;
  /** Whether this seat agreed that the record may be used for study; none while the match goes on. */
  consent: boolean | null;
  /** Whether moves can be made from this page, or it is only shown. */
  mine: boolean;
}

/** Whether something may be taken back. */
export interface Undo {
  /** Yes or no. */
  allowed: boolean;
  /** Why not. */
  why_not: string | null;
}

/** The note sheet of Cluedo. */
export interface CluedoBoard {
  /** The categories with their cards, in the order of the sheet. */
  categories: Category[];
  /** The seat's hand. */
  hand: string[];
  /** How many cards each seat holds. */
  sizes: number[];
  /** For each card, in the order of the categories, a cell for each seat and, last, for the envelope. At helper levels 0 and 1 only the own hand is filled in. */
  cells: Cell[][];
  /** Sets of which a seat holds one: from level 2 on. */
  one_of: OneOf[];
  /** Triples that the envelope is not, as accusations have shown. */
  not_envelope: string[][];
  /** What is to be done: `suggest`, `show`, `decide` or `over`. */
  phase: string;
  /** The seat that does it. */
  actor: number | null;
  /** The seat that gets to see a card, and the cards that were asked for: in the phase `show`. */
  asked_by: number | null;
  /** The cards of the open question, in the phases `show` and `decide`. */
  asked: string[];
  /** The cards that this seat can show, if it has to. */
  can_show: string[];
  /** Who has accused wrongly. */
  out: number[];
  /** How many deals fit, with separators, from level 3 on. */
  deals: string | null;
  /** How many envelopes fit, from level 2 on. */
  envelopes: number | null;
}

/** A category of cards. */
export interface Category {
  /** Its name. */
  name: string;
  /** Its cards. */
  cards: string[];
}

/** A cell of the note sheet. */
export interface Cell {
  /** `has`, `has-not`, `open` or `one-of` (the seat showed one of a set with this card in it). */
  mark: string;
  /** Whether it follows only by reasoning, and was not seen directly. */
  derived: boolean;
  /** How likely the card is there, from level 3 on: exact. */
  chance: number | null;
}

/** A set of which a seat holds one. */
export interface OneOf {
  /** The seat. */
  seat: number;
  /** The cards. */
  cards: string[];
}

/** The table of Eleusis. */
export interface EleusisBoard {
  /** The round, from 1. */
  round: number;
  /** How many rounds there are. */
  rounds: number;
  /** Who deals this round. */
  dealer: number;
  /** The rule, if the seat deals and has chosen it. */
  rule: string | null;
  /** The points so far; few are good. */
  points: number[];
  /** How many cards can be drawn. */
  stock: number;
  /** The mainline, each card with the refused ones that followed it. */
  mainline: LinePlace[];
  /** The seat's hand, a card as `7C`: rank and suit. */
  hand: string[];
  /** What the other players hold. */
  hands: OtherHand[];
  /** What is to be done: `rule`, `play`, `discard`, `guess`, `over`. */
  phase: string;
  /** The seat that does it. */
  actor: number | null;
  /** Whether the guess must be made. */
  forced: boolean;
  /** Whether the game knows *no play*. */
  no_play: boolean;
  /** What still fits, from level 2 on: not for the dealer. */
  hypotheses: Hypotheses | null;
  /** The rounds that are over. */
  ended: RoundInfo[];
  /** Library rules that the dealer can choose from. */
  library: LibraryRule[];
}

/** A card of the mainline. */
export interface LinePlace {
  /** The card. */
  card: string;
  /** The refused cards that followed it. */
  refused: string[];
}

/** The hand of another seat. */
export interface OtherHand {
  /** The seat. */
  seat: number;
  /** How many cards. */
  count: number;
  /** The cards, if hands are open. */
  cards: string[] | null;
}

/** What still fits what was seen in this round. */
export interface Hypotheses {
  /** How many library rules fit. */
  fit: number;
  /** Of how many. */
  of: number;
  /** Some of them, from level 3 on. */
  best: LibraryRule[];
  /** For each card of the hand, how many of the fitting rules accept it, from level 3 on. */
  cards: CardChance[];
}

/** A rule of the library. */
export interface LibraryRule {
  /** Its text. */
  rule: string;
  /** The share of the deck that it accepts on average. */
  share: number | null;
}

/** How many fitting rules accept a card. */
export interface CardChance {
  /** The card. */
  card: string;
  /** How many accept it. */
  accept: number;
}

/** A round that is over. */
export interface RoundInfo {
  /** The round, from 1. */
  round: number;
  /** Who dealt. */
  dealer: number;
  /** The rule. */
  rule: string;
  /** How it ended, in words. */
  ending: string;
  /** The points of the round. */
  points: number[];
  /** The guesses, each wrong one with the line and the card that show it. */
  guesses: GuessInfo[];
}

/** A guess. */
export interface GuessInfo {
  /** Who guessed. */
  seat: number;
  /** What. */
  rule: string;
  /** Whether it was right. */
  right: boolean;
  /** The line and card that tell it from the rule, in words. */
  witness: string | null;
}

/** The table of Yōkai. */
export interface YokaiBoard {
  /** The sixteen cards. */
  cards: YokaiCard[];
  /** Active hints in the order in which they were drawn; a hint is its colours. */
  active: string[][];
  /** How many hints of one, two and three colours were not yet drawn. */
  available: number[];
  /** How many hints were used. */
  used: number;
  /** The turn, from 1. */
  turn: number;
  /** What is done of the turn: looks, move, hint. */
  looks: number;
  /** Whether a card was moved, or none could be. */
  moved: boolean;
  /** Whether a hint was activated or used. */
  hinted: boolean;
  /** What may be done now: `look`, `move`, `hint`, `stop`, `skip`. */
  may: string[];
  /** The points that a win would be worth now. */
  worth: number;
  /** Whether what was seen earlier stays visible: not at level 0. */
  notebook: boolean;
}

/** A card of Yōkai. */
export interface YokaiCard {
  /** Its number, from 1: as in actions. */
  card: number;
  /** Row and column. */
  cell: [number, number];
  /** The colours of its hint, if it is marked. */
  mark: string[];
  /** Its colour, if the seat saw it (at level 0: in this turn) or the match is over. */
  colour: string | null;
  /** Whether the colour was seen in this turn. */
  fresh: boolean;
  /** The turns, from 1, in which the partner looked at it. */
  partner_looked: number[];
  /** The colours that it can have as far as the seat knows, from level 2 on. */
  possible: string[];
  /** Whether the seat knows that its partner knows the colour: from level 3 on. */
  partner_knows: boolean | null;
  /** The cells to which it can be moved now. */
  targets: [number, number][];
  /** Why it cannot be looked at, moved or marked now, where that is so. */
  not_look: string | null;
  /** The same for moving. */
  not_move: string | null;
}

/** What a chain of subjects knows: `me > 1 > 2` is what I know that seat 1 knows that seat 2 knows. */
export interface Inspection {
  /** The chain, the asker first. */
  chain: number[];
  /** The chain in words: "what you know that seat 1 knows". */
  words: string;
  /** How many worlds the first of the chain considers possible, with separators; a text since it may be huge. */
  worlds: string | null;
  /** The rows, most telling first within each group. */
  rows: FactRow[];
  /** What was typed in the filter box, if it was a formula: its own row. */
  asked: FactRow | null;
  /** What a reader must know: "as certain as the convention", "hints are taken to be proper". */
  note: string | null;
}

/** A fact with what is known about it. */
export interface FactRow {
  /** The fact as a formula, as `why` takes it. */
  fact: string;
  /** The fact in words. */
  words: string;
  /** What it is about: rows of one group stand together. */
  group: string;
  /** The verdict. */
  verdict: Known;
  /** The share of the worlds in which it is true, where that is counted. */
  share: number | null;
}

/** Why something is known, or why it is not. */
export interface Why {
  /** The fact as a formula. */
  fact: string;
  /** The fact in words. */
  words: string;
  /** The verdict. */
  verdict: Known;
  /** The event after which it was first known (or excluded); the deal is 0. */
  since: number | null;
  /** What was seen then. */
  since_words: string | null;
  /** The proof in sentences, if it is known or excluded and a proof was found. Every proof has passed its checker. */
  proof: Sentence[];
  /** Why there is no proof although it is known: "too long to find out". */
  unproved: string | null;
  /** If it is open: two worlds that fit everything seen and differ in it, the one where it is true first. */
  worlds: WorldInfo[];
}

/** A sentence of a proof. */
export interface Sentence {
  /** How deep it stands: a case inside a case. */
  depth: number;
  /** The sentence. */
  text: string;
  /** The event that it rests on, if it is a premise from the log. */
  event: number | null;
}

/** A world that fits what was seen. */
export interface WorldInfo {
  /** Whether the fact is true in it. */
  holds: boolean;
  /** Its parts: "seat 1", "plum, rope". */
  parts: WorldPart[];
}

/** A part of a world. */
export interface WorldPart {
  /** Whose or what. */
  name: string;
  /** What is there. */
  value: string;
  /** Whether the two worlds differ here. */
  differs: boolean;
}

/** How knowledge grew, as far as the reader may see it. */
export interface Timeline {
  /** A lane for each seat that may be shown: one's own while the match goes on, all when it is over. */
  lanes: Lane[];
  /** What the height means: "log₂ of the deals that fit". */
  unit: string;
}

/** The lane of a seat. */
export interface Lane {
  /** The seat. */
  seat: number;
  /** After each event log₂ of the number of worlds left; `null` where it was not counted. */
  bits: (number | null)[];
  /** Where facts were learned. */
  dots: Dot[];
}

/** Facts that were learned by an event. */
export interface Dot {
  /** The event. */
  event: number;
  /** The facts in words, at most a handful. */
  facts: string[];
  /** How many in all. */
  count: number;
}

/** A hint, in steps from a nudge to a move. */
export interface Advice {
  /** Which step this is, from 1. */
  step: number;
  /** How many there are. */
  steps: number;
  /** What to think about, or to do. */
  lines: string[];
  /** The move, in the last step. */
  action: string | null;
}

/** What would happen if a move were made, as far as the seat may know. */
export interface Preview {
  /** Whether it is allowed. */
  legal: boolean;
  /** Why not. */
  why_not: string | null;
  /** How it was read: a rule in normal form, a full action. */
  read_as: string | null;
  /** What a player should see before it counts, a line each. */
  lines: string[];
  /** Marks in the text of an open action. */
  marks: Squiggle[];
  /** For a question in Cluedo: who would answer, and what each would learn. */
  answers: AnswerChance[];
  /** For a rule in Eleusis: the share of the deck it accepts on average. */
  share: number | null;
  /** For a rule in Eleusis: of the cards that were judged, how many it judges as the dealer did, and of how many. */
  fits: [number, number] | null;
  /** For a rule in Eleusis: lines that it accepts, cards by their names. */
  samples: string[][];
}

/** A possible answer to a question. */
export interface AnswerChance {
  /** The seat that answers; none if nobody can. */
  seat: number | null;
  /** How likely it is. */
  chance: number;
  /** What it would tell the asker about the envelope, in bits. */
  bits: number;
}

/** What is known about a fact. */
export type Known = 'known' | 'excluded' | 'open';

/** Who is to sit at a seat. */
export type Sitter = { kind: 'me' } | { kind: 'friend' } | { kind: 'machine'; player: string };

/** The board of a game. */
export type Board =
  | { kind: 'nothing' }
  | ({ kind: 'cluedo' } & CluedoBoard)
  | ({ kind: 'eleusis' } & EleusisBoard)
  | ({ kind: 'yokai' } & YokaiBoard);

/** Everything about a match that is over. */
export interface AllSeeing {
  /** How many events are shown. */
  at: number;
  /** How many there are. */
  of: number;
  /** The seat to move after them. */
  turn: number | null;
  /** The whole truth, a line each. */
  log: LogLine[];
  /** The board of each seat, with all that follows from what it saw. */
  boards: Board[];
  /** The table. */
  table: TableInfo;
}

/** A lesson in the list. */
export interface LessonInfo {
  /** Its name in addresses. */
  id: string;
  title: string;
  /** What it is about, in a sentence. */
  about: string;
  /** What it belongs to: `Logic`, `Cluedo`, `Eleusis`, `Yōkai`. */
  topic: string;
}

/** A lesson. */
export interface Lesson {
  info: LessonInfo;
  /** What is read and looked at, in order. */
  blocks: Block[];
  /** What is to be done at the end. */
  exercise: Exercise;
  /** The lesson before it. */
  before: string | null;
  /** The lesson after it. */
  after: string | null;
}

/** A part of a lesson. In paragraphs, what stands between backquotes is typed text. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'formulas'; rows: Meaning[] }
  | ({ kind: 'drawing' } & Drawing)
  | { kind: 'sheet'; columns: string[]; rows: SheetLine[]; log: string[] }
  | { kind: 'layout'; line: LaidCard[] }
  | { kind: 'table'; width: number; cards: TableCard[] }
  | { kind: 'beliefs'; parts: BeliefPart[] };

/** A typed text with its meaning. */
export interface Meaning {
  text: string;
  means: string;
}

/** A drawing that the engine made. */
export interface Drawing {
  svg: string;
  /** What it shows, in words. */
  caption: string;
}

/** A card of a note sheet. */
export interface SheetLine {
  category: string;
  card: string;
  /** A mark for each place: `✓`, `✗` or `·`. */
  marks: string[];
}

/** A card of a mainline. */
export interface LaidCard {
  card: string;
  /** The cards that were refused after it. */
  refused: string[];
}

/** A card on the table of Yōkai. */
export interface TableCard {
  number: number;
  /** The colour that you saw. */
  colour: string | null;
  /** The colours on the hint that lies on it. */
  hint: string[];
}

/** A part of a belief base. */
export interface BeliefPart {
  name: string;
  beliefs: Meaning[];
}

/** What is to be done at the end of a lesson. */
export interface Exercise {
  ask: string;
  input: Input;
}

/** How an exercise is answered. */
export type Input =
  | { kind: 'choices'; several: boolean; options: Choice[] }
  | { kind: 'pick'; groups: Group[] }
  | { kind: 'text'; what: string; example: string };

/** Something that may be chosen. */
export interface Choice {
  id: string;
  label: string;
}

/** Things of which one is picked. */
export interface Group {
  name: string;
  options: Choice[];
}

/** What the engine says to an answer. */
export interface CheckedAnswer {
  right: boolean;
  /** Why, in a sentence or two. */
  explanation: string;
  /** More: the lines of a proof, of a run, of a counterexample. */
  lines: string[];
  drawing: Drawing | null;
  /** Places in the typed text at which something is wrong. */
  marks: Squiggle[];
}

/** What the lab offers and what it is doing. */
export interface LabInfo {
  experiments: ExperimentInfo[];
  /** The latest first. */
  runs: RunInfo[];
  /** The fewest and the most games of a row. */
  fewest: number;
  most: number;
}

/** An experiment. */
export interface ExperimentInfo {
  name: string;
  title: string;
  /** Which paper and which table. */
  source: string;
  about: string;
  rows: string[];
  /** How many games of a row the full experiment has. */
  games: number;
  /** How many numbers it is compared with. */
  expected: number;
}

/** A run of an experiment. */
export interface RunInfo {
  id: string;
  experiment: string;
  title: string;
  /** How many games of each row. */
  games: number;
  state: 'waiting' | 'playing' | 'done' | 'stopped' | 'failed';
  done: number;
  total: number;
  /** In seconds since 1970. */
  started: number;
  why: string | null;
  /** Whether the one who asks may stop it. */
  mine: boolean;
  /** Whether there is a report. */
  report: boolean;
}

/** A run with what it gave. */
export interface RunReport {
  run: RunInfo;
  rows: ReportRow[];
  /** What is expected but was not measured. */
  missing: string[];
}

/** A measure with its 95 % interval, beside what a paper says and what is expected. */
export interface ReportRow {
  label: string;
  metric: string;
  mean: number;
  low: number | null;
  high: number | null;
  n: number;
  paper: number | null;
  target: number | null;
  pass: boolean | null;
}

/** What people's matches tell. */
export interface StudyReport {
  matches: number;
  /** How many were left out because they could not be read again. */
  unread: number;
  lineups: LineUp[];
  rows: ReportRow[];
}

/** Who played what with whom. */
export interface LineUp {
  label: string;
  matches: number;
}
