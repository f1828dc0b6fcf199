// Every page with its addresses. A page is loaded when it is first opened; a new page is a line here.
import type { Route } from './lib/router';

export const routes: readonly Route[] = [
  { path: '/', page: () => import('./pages/home/Home.svelte') },
  { path: '/logic', page: () => import('./pages/logic/Logic.svelte') },
  { path: '/lab', page: () => import('./pages/lab/Lab.svelte') },
  { path: '/learn', page: () => import('./pages/learn/Learn.svelte') },
  { path: '/learn/:lesson', page: () => import('./pages/learn/Learn.svelte') },
  { path: '/position', page: () => import('./pages/position/Position.svelte') },
  { path: '/join/:code', page: () => import('./pages/join/Join.svelte') },
  { path: '/shared/:code', page: () => import('./pages/shared/Shared.svelte') },
  { path: '/:game/new', page: () => import('./pages/new/New.svelte') },
  { path: '/:game/:match', page: () => import('./pages/match/Match.svelte') },
  { path: '/:game/:match/replay', page: () => import('./pages/replay/Replay.svelte') },
];
