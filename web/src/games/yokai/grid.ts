// Where cards lie in the picture, and which one is next in a direction. Nothing here touches the browser.

/** Row and column. */
export type Place = readonly [number, number];

/** The part of the table that is drawn: first and last row and column. */
export interface Bounds {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** The cells within `around` of some places, and of what was drawn before: the picture grows and never shrinks. */
export function grow(before: Bounds | undefined, places: readonly Place[], around = 1): Bounds {
  const rows = places.map(([row]) => row);
  const columns = places.map(([, column]) => column);
  return {
    top: Math.min(before?.top ?? Infinity, ...rows.map((row) => row - around)),
    left: Math.min(before?.left ?? Infinity, ...columns.map((column) => column - around)),
    bottom: Math.max(before?.bottom ?? -Infinity, ...rows.map((row) => row + around)),
    right: Math.max(before?.right ?? -Infinity, ...columns.map((column) => column + around)),
  };
}

/** Whether two pictures are the same. */
export const same = (a: Bounds | undefined, b: Bounds): boolean =>
  a !== undefined && a.top === b.top && a.left === b.left && a.bottom === b.bottom && a.right === b.right;

const STEPS: Record<string, Place> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The index of the place that an arrow key leads to: the nearest in its direction, rather straight on than aside. */
export function next(places: readonly Place[], from: Place, key: string): number | undefined {
  const step = STEPS[key];
  if (!step) return undefined;
  let best: { index: number; cost: number } | undefined;
  for (const [index, [row, column]] of places.entries()) {
    const down = row - from[0];
    const across = column - from[1];
    const ahead = down * step[0] + across * step[1];
    const aside = Math.abs(down * step[1]) + Math.abs(across * step[0]);
    if (ahead <= 0) continue;
    const cost = ahead + 3 * aside;
    if (!best || cost < best.cost) best = { index, cost };
  }
  return best?.index;
}

/** The index of the place nearest to a point of the picture, counted in cells; none if all are further than `within`. */
export function nearest(places: readonly Place[], point: Place, within: number): number | undefined {
  let best: { index: number; far: number } | undefined;
  for (const [index, [row, column]] of places.entries()) {
    const far = Math.hypot(row - point[0], column - point[1]);
    if (far <= within && (!best || far < best.far)) best = { index, far };
  }
  return best?.index;
}
