import { expect, test } from 'vitest';
import { grouped } from './options';

test('options that begin with the same word stand together', () => {
  const verbs = grouped(['ask 1', 'high', 'ask 2', 'low']).map((group) => [group.verb, group.options.map((option) => option.action)]);
  expect(verbs).toEqual([
    ['ask', ['ask 1', 'ask 2']],
    ['high', ['high']],
    ['low', ['low']],
  ]);
  expect(grouped([])).toEqual([]);
});
