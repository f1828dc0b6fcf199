// Which page an address means. Nothing here touches the browser, so that it can be tested.
import type { Component } from 'svelte';

/** The parts of an address that a page receives. */
export interface PageProps {
  params: Record<string, string>;
  query: URLSearchParams;
}

/** A page with the addresses that it answers. `:name` stands for one part, `:game` only for what can be the name of a game. */
export interface Route {
  path: string;
  page: () => Promise<{ default: Component<PageProps> }>;
}

/** The first parts of addresses that are no games. Which games there are the server knows. */
const PLACES = ['logic', 'lab', 'learn', 'join', 'shared'];

/** Whether the first part of an address can be the name of a game. */
export const isGame = (part: string): boolean => /^[a-z][a-z0-9-]*$/.test(part) && !PLACES.includes(part);

const parts = (path: string): string[] => path.split('/').filter((part) => part !== '');

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What a pattern reads from a path; nothing if it does not fit. */
export function read(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = parts(pattern);
  const given = parts(path);
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, want] of wanted.entries()) {
    const part = decoded(given[i] ?? '');
    if (!want.startsWith(':')) {
      if (want !== part) return undefined;
    } else {
      if (want === ':game' && !isGame(part)) return undefined;
      params[want.slice(1)] = part;
    }
  }
  return params;
}

/** The first route that fits a path. */
export function find(routes: readonly Route[], path: string): { route: Route; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = read(route.path, path);
    if (params) return { route, params };
  }
  return undefined;
}
