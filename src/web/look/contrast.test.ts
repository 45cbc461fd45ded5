/** Text can be read on every ground that it stands on, in both themes: 4.5 to 1 (WCAG AA). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Theme = ReadonlyMap<string, string>;

const css = readFileSync(join(import.meta.dirname, 'base.css'), 'utf8');

/** The variables of each `:root`: first the light one, then the dark one. */
const themes: readonly Theme[] = [...css.matchAll(/:root \{([^}]*)\}/gu)].map(
  ([, body = '']) =>
    new Map(
      [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/gu)].map(([, name = '', value = '']) => [name, value]),
    ),
);

function lightness(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(theme: Theme, text: string, ground: string): number {
  const [a, b] = [text, ground].map((name) => lightness(theme.get(name) ?? '#000000'));
  return (Math.max(a ?? 0, b ?? 0) + 0.05) / (Math.min(a ?? 0, b ?? 0) + 0.05);
}

const grounds = ['ground', 'sunken', 'faint'];
const pairs = [
  ...['text', 'quiet'].flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ...['accent', 'waiting', 'running', 'done', 'blocked', 'paused'].flatMap((text) =>
    ['ground', 'sunken'].map((ground) => [text, ground] as const),
  ),
  ...['waiting', 'done', 'blocked'].map((text) => [text, `${text}-ground`] as const),
  ...['waiting', 'running', 'done', 'blocked'].map((one) => ['text', `${one}-ground`] as const),
  ['quiet', 'running-ground'] as const,
  ['on-accent', 'accent'] as const,
];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('in the %s theme', (_, index) => {
  it.each(pairs)('%s can be read on %s', (text, ground) => {
    const theme = themes[index] ?? new Map();
    expect([theme.has(text), theme.has(ground)]).toEqual([true, true]);
    expect(contrast(theme, text, ground)).toBeGreaterThanOrEqual(4.5);
  });
});

it('has two themes with the same names', () => {
  expect(themes).toHaveLength(2);
  expect([...(themes[0]?.keys() ?? [])].sort()).toEqual([...(themes[1]?.keys() ?? [])].sort());
});
