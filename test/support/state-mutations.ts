/**
 * The example of issue-state.json, changed in every way that a grammar can say: wrong types, missing and unknown fields,
 * keys twice, hostile paths, numbers and characters, texts and lists that are too large.
 */

import { type JsonPath, showPath } from '../../src/workflows/documents/json-tree.ts';
import { largestState } from '../../src/workflows/pipeline/rules/document/state-document.ts';
import { documentedState } from './documented-state.ts';

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export interface StateMutation {
  readonly name: string;
  readonly text: string;
  /** Where the problem is; it may also be inside. Null when the text is valid. */
  readonly at: string | null;
}

function kindOf(value: Value): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as Kind;
}

const example = JSON.parse(documentedState) as Value;

/** Null here says that something is not known yet. */
const nullable = new Set([
  ...['issue.type', 'pipeline.current_agent', 'triage.scope', 'triage.complexity', 'triage.should_proceed'],
  ...[
    'triage.rejection_reason',
    'analysis.test_requirement',
    'analysis.test_requirement.type',
    'analysis.brief',
  ],
  ...['analysis.test_requirement.location', 'analysis.test_requirement.description', 'writer.test_file'],
  ...['writer.summary', 'writer.previous_feedback', 'build.tests_passed', 'build.lint_passed'],
  ...['build.type_check_passed', 'build.commands_run[0].exit_code', 'build.commands_run[1].exit_code'],
  ...['review.verdict', 'review.findings.issues[0].file', 'review.findings.issues[0].line'],
  ...['review.feedback_for_writer', 'commit.hash', 'commit.message', 'commit.pr_url'],
  ...['communication.questions[0].answer', 'learnings.outcome'],
]);
/** Null in the example, and text when it is known. */
const textLater = new Set([
  ...['triage.rejection_reason', 'writer.previous_feedback', 'review.feedback_for_writer', 'commit.message'],
  ...['commit.pr_url', 'communication.questions[0].answer'],
]);
const paths = [
  ...['analysis.files[0].path', 'analysis.test_requirement.location', 'writer.changes[0].file'],
  ...['writer.test_file', 'review.findings.issues[0].file'],
];
const chosen = [
  ...['issue.type', 'pipeline.status', 'pipeline.current_agent', 'triage.scope', 'triage.complexity'],
  ...['analysis.files[0].action', 'analysis.test_requirement.type', 'review.verdict', 'learnings.outcome'],
  ...[
    'review.findings.issues[0].severity',
    'communication.questions[0].from',
    'communication.questions[0].to',
  ],
  ...['communication.escalations[0].agent', 'learnings.observations[0].agent'],
];

interface Place {
  readonly path: JsonPath;
  readonly shown: string;
  readonly value: Value;
}

function placesOf(value: Value, path: JsonPath = []): Place[] {
  const own = { path, shown: showPath(path), value };
  if (value === null || typeof value !== 'object') return [own];
  const steps: (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [
    own,
    ...steps.flatMap((step) => placesOf((value as Record<string, Value>)[step] ?? null, [...path, step])),
  ];
}

const all = placesOf(example);
const inside = all.filter(({ path }) => path.length > 0);
const placeOf = (shown: string): Place => {
  const place = all.find((one) => one.shown === shown);
  if (place === undefined) throw new Error(`The example has no ${shown}.`);
  return place;
};

const mark = '\u0001here\u0001';

/** The text of the example with some raw text in the place of a value. */
function writeAt(path: JsonPath, raw: string): string {
  const root = structuredClone(example);
  const parent = path
    .slice(0, -1)
    .reduce((node, step) => (node as Record<string, Value>)[step] ?? null, root);
  (parent as Record<string, Value>)[path.at(-1) ?? ''] = mark;
  // By a function: `$` in the raw text has no meaning.
  return JSON.stringify(root).replace(JSON.stringify(mark), () => raw);
}

function leaveOut(path: JsonPath): string {
  const root = structuredClone(example);
  const parent = path
    .slice(0, -1)
    .reduce((node, step) => (node as Record<string, Value>)[step] ?? null, root);
  delete (parent as Record<string, Value>)[path.at(-1) ?? ''];
  return JSON.stringify(root);
}

/** The members of an object with more raw members before them. */
const withMembers = (value: Value, raw: string): string =>
  JSON.stringify(value).replace('{', () => `{${raw},`);

const others: Readonly<Record<Kind, string>> = {
  null: 'null',
  boolean: 'true',
  number: '7',
  string: '"some text"',
  array: '[]',
  object: '{}',
};

const wrongTypes = inside.flatMap(({ path, shown, value }) =>
  (Object.keys(others) as Kind[])
    .filter((kind) => kind !== kindOf(value))
    .map((kind): StateMutation => {
      const isValid = kind === 'null' ? nullable.has(shown) : kind === 'string' && textLater.has(shown);
      return { name: `${shown} as ${kind}`, text: writeAt(path, others[kind]), at: isValid ? null : shown };
    }),
);

const missing = inside
  .filter(({ path }) => typeof path.at(-1) === 'string')
  .map(({ path, shown }): StateMutation => ({ name: `no ${shown}`, text: leaveOut(path), at: shown }));

const objects = all.filter(({ value }) => kindOf(value) === 'object');
const lists = all.filter(({ value }) => kindOf(value) === 'array');
const replaced = ({ path }: Place, raw: string): string => (path.length === 0 ? raw : writeAt(path, raw));

const extras = objects.flatMap((place): StateMutation[] => {
  const key = (name: string): string => showPath([...place.path, name]);
  const [first = ''] = Object.keys(place.value as object);
  const add = (name: string, raw: string, at: string | null): StateMutation => ({
    name: `${name} in ${place.shown || 'the root'}`,
    text: replaced(place, withMembers(place.value, raw)),
    at,
  });
  return [
    add('an unknown field', '"newer_field":{"a":[1]}', null),
    add('an empty key', '"":1', null),
    add('toString', '"toString":1,"constructor":{"prototype":{}}', null),
    add('__proto__', '"__proto__":{"version":"1.0"}', key('__proto__')),
    add('an escaped __proto__', '"\\u005f_proto__":1', key('__proto__')),
    add('a key twice', `${JSON.stringify(first)}:1`, key(first)),
    add('an unknown key twice', '"a":1,"\\u0061":2', key('a')),
    add('half a character as key', '"\\ud800":1', key('\ud800')),
    add('half a character', '"newer_field":"a\\udc00"', key('newer_field')),
    add('a number without end', '"newer_field":-1e999', key('newer_field')),
    add('a number that is not kept', '"newer_field":12345678901234567890', key('newer_field')),
    add('deep nesting', `"newer_field":${'['.repeat(5000)}${']'.repeat(5000)}`, ''),
  ];
});

const scalars = inside
  .filter(({ value }) => ['string', 'number'].includes(kindOf(value)))
  .flatMap(({ path, shown, value }): StateMutation[] =>
    typeof value === 'string'
      ? [
          { name: `half a character in ${shown}`, text: writeAt(path, '"a\\ud83d"'), at: shown },
          { name: `long text in ${shown}`, text: writeAt(path, `"${'a'.repeat(100_001)}"`), at: shown },
        ]
      : ['1e999', '1.5', '-7000000000', '1e-400'].map((raw) => ({
          name: `${raw} as ${shown}`,
          text: writeAt(path, raw),
          at: shown,
        })),
  );

/** Made when it is asked for: all at once would take half a gigabyte. */
const large = (name: string, make: () => string, at: string): StateMutation => ({
  name,
  get text() {
    return make();
  },
  at,
});

const hugeLists = lists.flatMap(({ path, shown, value }): StateMutation[] => {
  const item = JSON.stringify((value as Value[])[0] ?? 'text');
  const many = (raw: string, times: number, at: string): StateMutation =>
    large(`${times} times ${raw} in ${shown}`, () => writeAt(path, `[${`${raw},`.repeat(times)}${raw}]`), at);
  return [
    ...[many(item, 5000, shown), many('1', 40_000, shown)],
    ...[many('1', 900_000, ''), many('[]', 600_000, '')],
  ];
});

const badPaths = paths.flatMap((shown) =>
  [
    ...[
      '../a',
      'a/../../b',
      '..',
      '.',
      '',
      '/etc/passwd',
      '//host/x',
      '\\\\host\\x',
      'C:\\x',
      'C:/x',
      'a\\..\\b',
    ],
    ...['./a', 'a/', 'a//b', '.git/config', '.GIT/hooks/x', 'sub/.git/x', 'git~1/x', 'a\nb', 'a\0b', 'a\tb'],
    ...['a\u202Etxt', ' ', ' /a', '.. /a', 'x'.repeat(501), '../'.repeat(30_000)],
  ].map(
    (path): StateMutation => ({
      name: `${JSON.stringify(path.slice(0, 30))} as ${shown}`,
      text: writeAt(placeOf(shown).path, JSON.stringify(path)),
      at: shown,
    }),
  ),
);

const badChoices = chosen.flatMap((shown) =>
  ['some text', '', 'approved', 'APPROVED | REJECTED', ' in_progress', '__proto__', 'toString'].map(
    (word): StateMutation => ({
      name: `${JSON.stringify(word)} as ${shown}`,
      text: writeAt(placeOf(shown).path, JSON.stringify(word)),
      at: shown,
    }),
  ),
);

const hash = (raw: string): StateMutation => ({
  name: `${raw} as commit.hash`,
  text: writeAt(['commit', 'hash'], raw),
  at: 'commit.hash',
});
const whole: StateMutation[] = [
  ...['', ' ', '{', '[]', 'null', '7', '"text"', 'undefined', '{"version"', `${documentedState}}`, '\uFEFF'],
  ...[documentedState.slice(0, -3), documentedState.replace('"issue"', 'issue'), `//\n${documentedState}`],
  ...['['.repeat(1_000_000), '{"a":'.repeat(300_000), '"'.repeat(1_999_999), `"${'\\'.repeat(1_999_000)}`],
].map((text, at) => ({ name: `whole text ${at}: ${JSON.stringify(text.slice(0, 20))}`, text, at: '' }));

export const largeStates: readonly StateMutation[] = [
  large('50 MB of text', () => writeAt(['analysis', 'brief'], `"${'a'.repeat(50_000_000)}"`), ''),
  large('50 MB of entries', () => writeAt(['build', 'errors'], `[${'"",'.repeat(16_000_000)}""]`), ''),
  large('50 MB of space', () => `${' '.repeat(50_000_000)}${documentedState}`, ''),
  large('50 MB of brackets', () => '['.repeat(50_000_000), ''),
  large(
    '2 MB that are 1 MB of characters',
    () => writeAt(['newer'], `"${'é'.repeat(largestState / 2)}"`),
    '',
  ),
];

export const stateMutations: readonly StateMutation[] = [
  ...[...wrongTypes, ...missing, ...extras, ...scalars, ...hugeLists, ...badPaths, ...badChoices],
  ...[hash('"HEAD"'), hash('"abc"'), hash('"ABCDEF"'), ...whole, ...largeStates],
];
