/** Changing one value of prd.json may change nothing else in it, however the file is written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thrownCode } from '../../../../../test/support/thrown-code.ts';
import { canonicalJson, type Json } from '../../../../domain/ledger/hash.ts';
import { editJson, type JsonEdit } from './edit-json.ts';

const lines = (...all: readonly string[]): string => all.join('\n');

describe('the bytes around a changed value', () => {
  const text = lines(
    '{',
    '\t"a" : 1.0,',
    '\t"list": [1, 2],',
    '\t"deep": {',
    '\t\t"x": "\\u00e9"',
    '\t}',
    '}',
  );

  it('stay as they are', () => {
    expect(editJson(text, [{ path: ['deep', 'x'], value: 'ü' }])).toBe(text.replace('"\\u00e9"', '"ü"'));
  });

  it('stay when the value is the one that is there, written in another way', () => {
    const same = [
      { path: ['a'], value: 1 },
      { path: ['deep', 'x'], value: 'é' },
      { path: [], value: JSON.parse(text) as Json },
    ];
    expect(editJson(text, same)).toBe(text);
  });

  it('take a new key at the end of its object, with the indentation around it', () => {
    expect(editJson(text, [{ path: ['deep', 'y'], value: { z: [1] } }])).toBe(
      text.replace('\\u00e9"\n', '\\u00e9",\n\t\t"y": {\n\t\t\t"z": [\n\t\t\t\t1\n\t\t\t]\n\t\t}\n'),
    );
  });

  it('keep a list on one line that was on one line', () => {
    expect(editJson(text, [{ path: ['list'], value: ['a', { b: null }] }])).toBe(
      text.replace('[1, 2]', '["a", {"b" : null}]'),
    );
    expect(editJson(text, [{ path: ['list', 2], value: 3 }])).toBe(text.replace('[1, 2]', '[1, 2, 3]'));
  });

  it('keep carriage returns', () => {
    const windows = text.replaceAll('\n', '\r\n');
    const result = editJson(windows, [
      { path: ['deep', 'y'], value: [] },
      { path: ['new'], value: [1] },
    ]);
    expect(result.split('\r\n').join('\n')).not.toContain('\r');
    expect(result).toContain('\r\n\t"new" : [\r\n\t\t1\r\n\t]\r\n}'.replace('"new" :', '"new":'));
  });

  it('are none for an empty object in a file with lines', () => {
    expect(editJson('{\n  "a": {}\n}\n', [{ path: ['a', 'b'], value: true }])).toBe(
      '{\n  "a": {\n    "b": true\n  }\n}\n',
    );
  });

  it('change for a number that only looks like the new value', () => {
    expect(editJson('{"a":1e999}', [{ path: ['a'], value: null }])).toBe('{"a":null}');
    expect(editJson('[1, 2]', [{ path: [], value: { 0: 1, 1: 2 } }])).toBe('{"0": 1, "1": 2}');
    expect(editJson('{"a":-0}', [{ path: ['a'], value: 0 }])).toBe('{"a":-0}');
  });

  it('lose a key with its comma', () => {
    expect(editJson('{ "a": 1, "b": 2 }', [{ path: ['b'], value: undefined }])).toBe('{ "a": 1 }');
    expect(editJson('{ "a": 1, "b": 2 }', [{ path: ['a'], value: undefined }])).toBe('{ "b": 2 }');
    expect(editJson('{ "a": 1 }', [{ path: ['a'], value: undefined }])).toBe('{}');
    expect(editJson('[1]', [{ path: [5], value: undefined }].slice(1))).toBe('[1]');
  });

  it('stay around a byte order mark and without a line break at the end', () => {
    expect(editJson('\uFEFF[1]', [{ path: [0], value: 2 }])).toBe('\uFEFF[2]');
  });
});

it.each([
  ['a key twice', '{"a":1,"a":2}', ['a']],
  ['a key twice, once escaped', '{"a":1,"\\u0061":2}', ['b']],
  ['a key twice far away', '[{"x":{"y":1,"y":1}}]', [1]],
  ['no JSON', '{"a":1,}', ['a']],
  ['a comment', '{"a":1} // x', ['a']],
  ['two values', '1 2', []],
  ['a raw line break in a text', '{"a":"\n"}', ['a']],
  ['a number with a leading zero', '{"a":01}', ['a']],
  ['nothing', '', []],
  ['very deep', `${'['.repeat(5000)}${']'.repeat(5000)}`, [0]],
  ['a path through nothing', '{}', ['a', 'b']],
  ['a path through a text', '{"a":"x"}', ['a', 0]],
  ['a key of a list', '[1]', ['length']],
  ['a gap in a list', '[1]', [2]],
  ['a place below zero', '[1]', [-1]],
  ['half a place', '[1, 2]', [0.5]],
  ['a number in an object', '{"0":1}', [0]],
  ['an inherited key', '{}', ['__proto__', 'polluted']],
] as const)('refuses %s', (_, text, path) => {
  expect(thrownCode(() => editJson(text, [{ path, value: 1 }]))).toBe('prd-invalid');
});

it('refuses values that JSON cannot say, and to take out everything', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, { a: [Number.NaN] }])
    expect(thrownCode(() => editJson('{}', [{ path: ['a'], value }]))).toBe('prd-invalid');
  expect(thrownCode(() => editJson('{}', [{ path: [], value: undefined }]))).toBe('prd-invalid');
});

it('is not misled by keys with escapes, as JSON.parse of V8 13.6 is after it has met the key "\\"', () => {
  const poison = '{"":"","\\\\":1,"c":2}';
  for (let round = 0; round < 50; round += 1) editJson(poison, [{ path: ['c'], value: round }]);
  const text = '{"":"","\\u0070asses":false,"c":2}';
  expect(editJson(text, [{ path: ['passes'], value: true }])).toBe(text.replace('false', 'true'));
  expect(thrownCode(() => editJson('{"passes":1,"\\u0070asses":2}', []))).toBe('prd-invalid');
});

// Any JSON in any formatting: a value is printed by a grammar that draws the white space between all tokens.
const key = fc.oneof(
  // Not the key "\\": JSON.parse, which these tests compare with, takes escaped keys for it afterwards.
  fc.constantFrom('__proto__', 'constructor', 'a', 'b', 'passes', '', '"', '\u2028', 'é', '\ud800'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const scalarValue: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(null, true, false, 0, -1, 1e300, 0.1, '', '__proto__', '{"a":1}', '\n', '\ud83d'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

/** An object in which `__proto__` is a key like any other, as `JSON.parse` makes it. */
const fromPairs = (pairs: readonly (readonly [string, Json])[]): Json =>
  pairs.reduce((made: Record<string, Json>, [name, value]) => {
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
    return made;
  }, {});

const { value: anyJson } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalarValue,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map(fromPairs),
  ),
}));

const whiteSpace = fc.constantFrom('', '', ' ', '\n', '\r\n', '\t', '\n  ', '\n\t\t', '\r', ' \n ');
const escapes = fc.boolean();

/** The text of a value; `draw` gives white space, `doEscape` says whether a text is written in escapes. */
function print(value: Json, draw: () => string, doEscape: () => boolean): string {
  const quote = (text: string): string =>
    doEscape()
      ? `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(text);
  if (typeof value === 'string') return quote(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items = value.map((one) => `${draw()}${print(one, draw, doEscape)}${draw()}`);
    return `[${items.length === 0 ? draw() : items.join(',')}]`;
  }
  const members = Object.entries(value).map(
    ([name, one]) => `${draw()}${quote(name)}${draw()}:${draw()}${print(one, draw, doEscape)}${draw()}`,
  );
  return `{${members.length === 0 ? draw() : members.join(',')}}`;
}

const document = fc
  .record({
    value: anyJson,
    spaces: fc.infiniteStream(whiteSpace),
    doEscape: fc.infiniteStream(escapes),
    style: fc.constantFrom('wild', 'two', 'tab', 'none'),
  })
  .map(({ value, spaces, doEscape, style }) => {
    if (style === 'two') return { value, text: `${JSON.stringify(value, null, 2)}\n` };
    if (style === 'tab') return { value, text: JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n') };
    if (style === 'none') return { value, text: JSON.stringify(value) };
    const draw = (): string => spaces.next().value;
    const text = print(value, draw, () => doEscape.next().value);
    return { value, text: `${draw()}${text}${draw()}` };
  });

/** All paths of a value, and for each object and list the one behind its end. */
function pathsOf(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (value === null || typeof value !== 'object') return [path];
  if (Array.isArray(value))
    return [
      path,
      [...path, value.length],
      ...value.flatMap((one, at) => pathsOf(one as Json, [...path, at])),
    ];
  return [
    path,
    [...path, 'fresh'],
    [...path, '__proto__'],
    ...Object.entries(value).flatMap(([name, one]) => pathsOf(one, [...path, name])),
  ];
}

/** The same edit on the value instead of the text: said in another way than the source says it. */
function editValue(value: Json, [step, ...rest]: readonly (string | number)[], next: Json | undefined): Json {
  if (step === undefined) return next ?? null;
  if (Array.isArray(value)) {
    const copy: Json[] = [...(value as readonly Json[])];
    if (rest.length === 0 && next === undefined) copy.splice(Number(step), 1);
    else copy[Number(step)] = editValue(copy[Number(step)] ?? null, rest, next);
    return copy;
  }
  const pairs: (readonly [string, Json])[] = Object.entries(value as Record<string, Json>);
  const at = pairs.findIndex(([name]) => name === step);
  if (rest.length === 0 && next === undefined) return fromPairs(pairs.filter((_, index) => index !== at));
  const changed = [String(step), editValue(pairs[at]?.[1] ?? null, rest, next)] as const;
  return fromPairs(
    at === -1 ? [...pairs, changed] : pairs.map((pair, index) => (index === at ? changed : pair)),
  );
}

describe('any JSON in any formatting', () => {
  it('keeps its bytes without an edit', () => {
    fc.assert(
      fc.property(document, ({ text }) => {
        expect(editJson(text, [])).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('has the edited value afterwards, and nothing else changed', () => {
    fc.assert(
      fc.property(
        document,
        fc.array(fc.tuple(fc.nat(), fc.option(anyJson, { nil: undefined })), { minLength: 1, maxLength: 4 }),
        ({ value, text }, wanted) => {
          let expected = value;
          const edits: JsonEdit[] = [];
          for (const [pick, next] of wanted) {
            const paths = pathsOf(expected);
            const path = paths[pick % paths.length] ?? [];
            if (path.length === 0 && next === undefined) continue;
            edits.push({ path, value: next });
            expected = editValue(expected, path, next);
          }
          const result = editJson(text, edits);
          expect(canonicalJson(JSON.parse(result) as Json)).toBe(canonicalJson(expected));
          // Editing once more to the same value finds nothing to do.
          const path = edits.at(-1)?.path ?? [];
          const last = edits.at(-1)?.value;
          if (last !== undefined) expect(editJson(result, [{ path, value: last }])).toBe(result);
        },
      ),
      { numRuns: 600 },
    );
  });

  it('changes only the bytes of a replaced value: what stands before and behind it is the same', () => {
    fc.assert(
      fc.property(document, fc.nat(), anyJson, ({ value, text }, pick, next) => {
        const mark = 'a value that stands nowhere else';
        const paths = pathsOf(value).filter((path) => {
          let at: Json | undefined = value;
          for (const step of path)
            at = Object.getOwnPropertyDescriptor(at ?? {}, step)?.value as Json | undefined;
          return at !== undefined;
        });
        const path = paths[pick % paths.length] ?? [];
        const [before = '', behind = ''] = editJson(text, [{ path, value: mark }]).split(
          JSON.stringify(mark),
        );
        expect(text.startsWith(before) && text.endsWith(behind)).toBe(true);
        const result = editJson(text, [{ path, value: next }]);
        expect(result.startsWith(before) && result.endsWith(behind)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('reads what JSON.parse reads and refuses what it refuses', () => {
    const broken = fc.tuple(
      document,
      fc.nat(),
      fc.constantFrom('', ',', '"', '{', ']', '0', '\\', '\u00a0', 'n', '-', '.', 'e'),
    );
    fc.assert(
      fc.property(broken, ([{ text }, pick, sign]) => {
        const at = pick % (text.length + 1);
        const damaged = `${text.slice(0, at)}${sign}${text.slice(at + 1)}`;
        const parses = thrownCode(() => JSON.parse(damaged)) === 'nothing thrown';
        const edits = thrownCode(() => editJson(damaged, [])) === 'nothing thrown';
        // The one thing that is refused although JSON.parse reads it is a key that stands twice.
        if (edits) expect(parses).toBe(true);
        if (parses && !edits) expect(damaged).toContain('{');
      }),
      { numRuns: 600 },
    );
  });
});
