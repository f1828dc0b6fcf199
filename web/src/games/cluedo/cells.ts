// Moving about the note sheet, and the order of marks.

const ORDER = [undefined, '✓', '✗', '?'] as const;

/** The mark after this one: nothing, ✓, ✗, ?, and nothing again. */
export function following(mark: string | undefined): string | undefined {
  const at = ORDER.findIndex((each) => each === mark);
  return ORDER[(at + 1) % ORDER.length];
}

/** Where a key leads from a cell; nothing if the key does not move. */
export function moved(key: string, [row, column]: [number, number], rows: number, columns: number): [number, number] | undefined {
  switch (key) {
    case 'ArrowUp':
      return [Math.max(0, row - 1), column];
    case 'ArrowDown':
      return [Math.min(rows - 1, row + 1), column];
    case 'ArrowLeft':
      return [row, Math.max(0, column - 1)];
    case 'ArrowRight':
      return [row, Math.min(columns - 1, column + 1)];
    case 'Home':
      return [row, 0];
    case 'End':
      return [row, columns - 1];
    case 'PageUp':
      return [0, column];
    case 'PageDown':
      return [rows - 1, column];
    default:
      return undefined;
  }
}
