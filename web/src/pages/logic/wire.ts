// The requests and answers of the workbench.
import { send } from '../../lib/api';
import type { Inspection, Schemas, Sent, Why } from '../../lib/types';

export type Kind = Sent<Schemas['LogicKind']>;
export type Recall = Sent<Schemas['LogicRecall']>;
export type GalleryModel = Sent<Schemas['GalleryModel']>;
export type Model = Sent<Schemas['LogicModel']>;
export type Possible = Sent<Schemas['LogicPossible']>;
export type RunState = Sent<Schemas['LogicState']>;
export type Run = Sent<Schemas['LogicRun']>;
export type Answer = Sent<Schemas['LogicAnswer']>;
export type Checked = Sent<Schemas['LogicChecked']>;
export type Stage = Sent<Schemas['LogicStage']>;
export type World = Sent<Schemas['LogicWorld']>;
export type Link = Sent<Schemas['LogicLink']>;
export type Drawing = Sent<Schemas['LogicDrawing']>;
export type Drawn = Sent<Schemas['LogicDrawn']>;

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
