// The requests and answers of the workbench, as crates/server/src/logic/wire.rs has them.
import { send } from '../../lib/api';
import type { Inspection, Problem, Squiggle, Why } from '../../lib/types';

export type Kind = 'auto' | 'ken' | 'json' | 'ispl' | 'smcdel';
export type Recall = 'none' | 'perfect' | 'both';

export interface GalleryModel {
  name: string;
  title: string;
  kind: Kind;
  text: string;
  time: boolean;
}

export interface Model {
  what: string;
  words: string;
  worlds: string | null;
  agents: string[];
  props: number;
  vars: number;
  belief: boolean;
  points: string[];
  engine: string;
  memory: string | null;
}

export interface Possible {
  agent: string;
  count: number;
  states: string[];
}

export interface RunState {
  action: string | null;
  name: string;
  facts: string[];
  changes: string[];
  noticed: string[];
  possible: Possible[];
}

export interface Run {
  title: string;
  states: RunState[];
  loops_to: number | null;
  ends: boolean;
}

export interface Answer {
  formula: string;
  question: string;
  from: number | null;
  to: number | null;
  verdict: string;
  mark: 'yes' | 'no' | 'number' | 'gave-up' | 'unread';
  expected: string | null;
  met: boolean | null;
  at: string | null;
  holding: string | null;
  of: string | null;
  holds_at: string[];
  listed: boolean;
  why: { depth: number; text: string; event: number | null }[];
  runs: Run[];
  problem: Problem | null;
  seconds: number;
}

export interface Checked {
  kind: Kind;
  problems: Squiggle[];
  model: Model | null;
  answers: Answer[];
  gave_up: Problem | null;
}

export interface Stage {
  announced: string | null;
  worlds: number;
  gone: number[];
  removed: number;
  holds: number[];
  holding: number | null;
}

export interface World {
  id: number;
  name: string;
  facts: string[];
  label: string[];
  title: string | null;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Link {
  agents: number[];
  worlds: number[];
  paths: string[];
  heads: string[];
  dot: [number, number] | null;
  tag_at: [number, number] | null;
  tag: string[];
  words: string;
}

export interface Drawing {
  first: number;
  edges: number[];
  worlds: World[];
  point: number | null;
  agents: { name: string; note: string | null }[];
  arrows: boolean;
  notes: string[];
  links: Link[][];
}

export interface Drawn {
  stages: Stage[];
  drawing: Drawing | null;
  problem: Problem | null;
  note: string | null;
}

/** What every request is about. */
export interface About {
  text: string;
  kind: Kind;
  at: string | null;
  announced: string[];
}

const post = <T>(path: string, body: unknown): Promise<T> => send<T>('POST', `/api/logic/${path}`, body);

export const logic = {
  gallery: () => send<GalleryModel[]>('GET', '/api/logic/gallery'),
  check: (about: About, formulas: string[], recall: Recall | null) => post<Checked>('check', { ...about, formulas, recall }),
  draw: (about: About, formula: string | null) => post<Drawn>('draw', { ...about, formula }),
  know: (about: About, chain: number[], filter: string) => post<Inspection>('know', { ...about, chain, filter }),
  why: (about: About, chain: number[], fact: string) => post<Why>('why', { ...about, chain, fact }),
};
