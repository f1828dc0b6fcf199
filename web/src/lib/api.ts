// The server's answers, typed. Whatever goes wrong comes as an `ApiError` with words that can be shown.
import { strings } from '../strings';
import type {
  Advice,
  AllSeeing,
  Begun,
  BranchFrom,
  Consent,
  Desk,
  GameInfo,
  Inspection,
  Invite,
  Joined,
  Moved,
  NewMatch,
  Notes,
  PlacedAt,
  PositionQuestion,
  Preview,
  Problem,
  Reason,
  Shared,
  Summary,
  TableInfo,
  Taken,
  Timeline,
  Why,
} from './types';

/** What is wrong with a request: the server's own words, or ours if it did not answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }
}

/** Any failure as a problem that can be shown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  return { code: 'client', message: error instanceof Error ? error.message : String(error), help: null };
}

function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value;
}

type Query = Record<string, string | number | undefined>;

/** An address with what is asked; what is undefined is left out. */
export function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Sends a request and reads its answer. */
export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    const init: RequestInit = { method, headers: { accept: 'application/json' }, credentials: 'same-origin' };
    if (body !== undefined) {
      init.headers = { ...init.headers, 'content-type': 'application/json' };
      init.body = JSON.stringify(body);
    }
    response = await fetch(path, init);
  } catch {
    throw new ApiError(0, { code: 'offline', message: strings.errors.offline, help: strings.errors.offlineHelp });
  }
  const text = await response.text();
  let value: unknown;
  try {
    value = text === '' ? undefined : JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (response.ok) return value as T;
  if (isProblem(value)) throw new ApiError(response.status, value);
  throw new ApiError(response.status, { code: 'unreadable', message: strings.errors.status(response.status), help: null });
}

const get = <T>(path: string, query?: Query): Promise<T> => send<T>('GET', address(path, query));
const post = <T>(path: string, body: unknown = {}): Promise<T> => send<T>('POST', path, body);
const match = (id: string): string => `/api/matches/${encodeURIComponent(id)}`;
const at = (id: string, seat: number): string => `${match(id)}/seats/${seat}`;

/** Every request that the pages of matches make. */
export const api = {
  games: () => get<GameInfo[]>('/api/games'),
  begin: (wanted: NewMatch) => post<Begun>('/api/matches', wanted),
  matches: () => get<Summary[]>('/api/matches'),
  join: (code: string) => post<Joined>(`/api/join/${encodeURIComponent(code)}`),
  table: (id: string) => get<TableInfo>(match(id)),
  invites: (id: string) => get<Invite[]>(`${match(id)}/invites`),
  live: (id: string) => `${match(id)}/live`,
  desk: (id: string, seat: number, after?: number) => get<Desk>(at(id, seat), { at: after }),
  move: (id: string, seat: number, action: string, revision: number) =>
    post<Moved>(`${at(id, seat)}/moves`, { action, revision }),
  undo: (id: string, seat: number, revision: number) => post<Moved>(`${at(id, seat)}/undo`, { revision }),
  resign: (id: string, seat: number, revision: number) => post<Moved>(`${at(id, seat)}/resign`, { revision }),
  preview: (id: string, seat: number, action: string) => post<Preview>(`${at(id, seat)}/preview`, { action }),
  notes: (id: string, seat: number, notes: Notes) => send<Notes>('PUT', `${at(id, seat)}/notes`, notes),
  know: (id: string, seat: number, chain: number[], filter: string, after?: number, assume?: string) =>
    get<Inspection>(`${at(id, seat)}/know`, { chain: chain.join(','), filter, at: after, assume }),
  why: (id: string, seat: number, chain: number[], fact: string, after?: number, assume?: string) =>
    get<Why>(`${at(id, seat)}/why`, { chain: chain.join(','), fact, at: after, assume }),
  reason: (id: string, seat: number, event: number) => get<Reason>(`${at(id, seat)}/reason`, { event }),
  position: (id: string, seat: number, after?: number) => get<Taken>(`${at(id, seat)}/position`, { at: after }),
  placed: (question: PositionQuestion) => post<PlacedAt>('/api/positions', question),
  placedKnow: (question: PositionQuestion) => post<Inspection>('/api/positions/know', question),
  placedWhy: (question: PositionQuestion) => post<Why>('/api/positions/why', question),
  timeline: (id: string, seat: number) => get<Timeline>(`${at(id, seat)}/timeline`),
  advice: (id: string, seat: number, step: number) => get<Advice>(`${at(id, seat)}/advice`, { step }),
  share: (id: string, seat: number) => post<Shared>(`${at(id, seat)}/share`),
  shared: (code: string) => get<Desk>(`/api/shared/${encodeURIComponent(code)}`),
  consent: (id: string, seat: number, agree: boolean) => post<Consent>(`${at(id, seat)}/consent`, { agree }),
  branch: (id: string, from: BranchFrom) => post<Begun>(`${match(id)}/branch`, from),
  record: (id: string) => `${match(id)}/record`,
  saved: (id: string) => `${match(id)}/saved`,
  all: (id: string, after?: number) => get<AllSeeing>(`${match(id)}/all`, { at: after }),
};
