/** A stage that could write another's section could approve its own work. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyJson, anyState } from '../../../../../test/support/any-state.ts';
import { documentedState } from '../../../../../test/support/documented-state.ts';
import { type JsonPath, showPath } from '../../../documents/json-tree.ts';
import { checkOwnership, type Stage } from './section-owners.ts';
import { readState, type StateDocument } from './state-document.ts';
import { stages } from './state-schema.ts';

const documented = JSON.parse(documentedState) as StateDocument;

/** What the document says, in another form than the table: the paths that a stage may change. */
const mayChange: Readonly<Record<Stage, RegExp>> = {
  triage: /^(?:triage\b|pipeline\.status$)/u,
  analyst: /^(?:analysis\b|pipeline\.current_agent$)/u,
  writer: /^(?:writer\b|pipeline\.attempt$)/u,
  build: /^(?:build\b|review\.feedback_for_writer$)/u,
  reviewer: /^(?:review\b|pipeline\.status$)/u,
  committer: /^(?:commit\b|pipeline\.status$)/u,
  orchestrator:
    /^(?:pipeline\b|communication\.(?:questions\[\d+\]\.answer(?:ed)?|escalations\[\d+\]\.resol(?:ved|ution))$|learnings\.(?:outcome|duration_minutes|attempts_used)$)/u,
};

type Loose = Record<string | number, unknown>;
const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

interface Place {
  readonly path: JsonPath;
  readonly value: unknown;
}

/** Every value of a document, and an unknown field in each object. */
function placesOf(value: unknown, path: JsonPath = []): Place[] {
  if (!isLoose(value)) return [{ path, value }];
  const inside = Object.keys(value).flatMap((key) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return placesOf(value[step], [...path, step]);
  });
  if (Array.isArray(value)) return inside;
  return [...inside, { path: [...path, 'unknown_field'], value: undefined }];
}

function changeOf(value: unknown, fresh: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  // Not one more: a large number stays what it is then.
  if (typeof value === 'number') return value === 0 ? 1 : -value;
  if (typeof value === 'string') return `${value}x`;
  return value === undefined ? (fresh ?? 'new') : 'new';
}

function setAt(root: unknown, path: JsonPath, value: unknown): void {
  const parent = path.slice(0, -1).reduce((node, step) => (node as Loose)[step], root);
  (parent as Loose)[path.at(-1) ?? ''] = value;
}

const hasFailed = ({ build }: StateDocument): boolean =>
  build.errors.length > 0 || JSON.stringify(build).includes('_passed":false');

/** A document, a copy with some values changed, and where they were changed. */
const changed = fc
  .tuple(anyState, fc.array(fc.tuple(fc.nat(), anyJson), { minLength: 0, maxLength: 8 }))
  .map(([before, picks]) => {
    const places = placesOf(before);
    const after = structuredClone(before);
    const paths = new Map<string, JsonPath>();
    for (const [pick, fresh] of picks) {
      const place = places[pick % places.length];
      if (place === undefined || paths.has(showPath(place.path))) continue;
      setAt(after, place.path, changeOf(place.value, fresh));
      paths.set(showPath(place.path), place.path);
    }
    return { before, after, paths: [...paths.keys()] };
  });

describe('any change', () => {
  it('is found if and only if it is outside of what the stage owns', () => {
    fc.assert(
      fc.property(changed, fc.constantFrom(...stages), ({ before, after, paths }, stage) => {
        const forbidden = paths.filter(
          (path) =>
            !mayChange[stage].test(path) ||
            (stage === 'build' && path.startsWith('review') && !hasFailed(after)),
        );
        const found = checkOwnership(stage, before, after);
        expect(found.map(({ path }) => path).sort()).toEqual(forbidden.sort());
        for (const { path, message } of found)
          expect(message.startsWith(`${stage} may not change ${path}`)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is none when only the order of the keys is another', () => {
    const turn = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turn);
      if (!isLoose(value)) return value;
      return Object.fromEntries(
        Object.entries(value)
          .map(([key, one]) => [key, turn(one)])
          .reverse(),
      );
    };
    fc.assert(
      fc.property(anyState, (state) => {
        for (const stage of stages)
          expect(checkOwnership(stage, state, turn(state) as StateDocument)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('is found when an unknown field or an item of a list goes away', () => {
    const before = { ...documented, newer: { a: 1, b: [1, 2] } };
    const after = { ...documented, newer: { b: [1] } };
    for (const stage of stages)
      expect(checkOwnership(stage, before, after)).toEqual([
        { path: 'newer.a', message: `${stage} may not change newer.a` },
        { path: 'newer.b[1]', message: `${stage} may not change newer.b[1]` },
      ]);
  });

  it('is not listed without end', () => {
    const before = { ...documented, newer: Array.from({ length: 40_000 }, () => 1) };
    const after = { ...documented, newer: Array.from({ length: 40_000 }, () => 2) };
    expect(checkOwnership('writer', before, after)).toHaveLength(101);
  });
});

it.each([
  ['writer', 'review', { verdict: 'APPROVED' }, ['writer may not change review.verdict']],
  ['reviewer', 'build', { tests_passed: true }, ['reviewer may not change build.tests_passed']],
  ['writer', 'pipeline', { current_agent: 'committer' }, ['writer may not change pipeline.current_agent']],
  ['analyst', 'issue', { type: 'BUG_FIX' }, ['analyst may not change issue.type']],
  ['orchestrator', 'issue', { type: 'BUG_FIX' }, ['orchestrator may not change issue.type']],
  ['orchestrator', 'review', { verdict: 'APPROVED' }, ['orchestrator may not change review.verdict']],
  ['triage', 'pipeline', { status: 'blocked', attempt: 9 }, ['triage may not change pipeline.attempt']],
] as const)('%s cannot change %s %j', (stage, section, fields, messages) => {
  const after = { ...documented, [section]: { ...documented[section], ...fields } };
  expect(checkOwnership(stage, documented, after).map(({ message }) => message)).toEqual(messages);
});

describe('the build', () => {
  const passed = {
    completed: true,
    tests_passed: true,
    lint_passed: null,
    type_check_passed: true,
    errors: [],
  };
  const withBuild = (build: Partial<StateDocument['build']>): StateDocument => ({
    ...documented,
    build: { ...documented.build, ...passed, ...build },
    review: { ...documented.review, feedback_for_writer: 'The build failed.' },
  });

  it.each([{ tests_passed: false }, { lint_passed: false }, { errors: ['The required test is missing.'] }])(
    'tells the writer when it failed: %j',
    (build) => {
      expect(checkOwnership('build', documented, withBuild(build))).toEqual([]);
    },
  );

  it('tells nothing when it passed', () => {
    const message = 'build may not change review.feedback_for_writer while the build has not failed';
    expect(checkOwnership('build', documented, withBuild({}))).toEqual([
      { path: 'review.feedback_for_writer', message },
    ]);
  });
});

describe('the lists to which every stage may add', () => {
  const lists = [
    [
      'communication',
      'questions',
      { from: 'STAGE', to: 'analyst', question: 'Why?', answered: false, answer: null },
    ],
    [
      'communication',
      'escalations',
      { agent: 'STAGE', reason: 'Security', requires_human: true, resolved: false },
    ],
    ['learnings', 'observations', { agent: 'STAGE', type: 'pattern', content: 'Tests use vitest.' }],
  ] as const;

  function withEntry(section: string, name: string, entry: unknown, place?: 'first'): StateDocument {
    const { [section]: old } = documented as unknown as Record<string, Record<string, unknown[]>>;
    const entries = old?.[name] ?? [];
    const list = place === 'first' ? [entry, ...entries] : [...entries, entry];
    return { ...documented, [section]: { ...old, [name]: list } };
  }

  for (const [section, name, form] of lists) {
    const author = 'from' in form ? 'from' : 'agent';
    const added = `${section}.${name}[1]`;

    it.each(stages)(`take an entry of %s at the end of ${section}.${name}, in its own name`, (stage) => {
      const state = withEntry(section, name, { ...form, [author]: stage, newer_field: 1 });
      expect('state' in readState(JSON.stringify(state))).toBe(true);
      expect(checkOwnership(stage, documented, state)).toEqual([]);
      const other = stage === 'writer' ? 'reviewer' : 'writer';
      expect(checkOwnership(other, documented, state)).toEqual([
        { path: `${added}.${author}`, message: `${other} may not speak in the name of ${stage}` },
      ]);
    });

    it(`take nothing at another place of ${section}.${name}`, () => {
      const state = withEntry(section, name, { ...form, [author]: 'writer' }, 'first');
      expect(checkOwnership('writer', documented, state)).not.toEqual([]);
    });
  }

  it.each([
    ['communication', 'questions', { answered: true }, 'answered'],
    ['communication', 'questions', { answer: 'Yes.' }, 'answer'],
    ['communication', 'escalations', { resolved: true }, 'resolved'],
    ['communication', 'escalations', { resolution: 'Fine.' }, 'resolution'],
  ])('take no entry of %s.%s that is answered already: %j', (section, name, fields, field) => {
    const form = lists.find(([, one]) => one === name)?.[2];
    const entry = { ...form, from: 'writer', agent: 'writer', ...fields };
    const place = `${section}.${name}[1].${field}`;
    expect(checkOwnership('writer', documented, withEntry(section, name, entry))).toEqual([
      { path: place, message: `writer may not set ${place}: the orchestrator does so later` },
    ]);
  });

  it('are answered by the orchestrator alone', () => {
    const [question] = documented.communication.questions;
    const [escalation] = documented.communication.escalations;
    if (question === undefined || escalation === undefined) throw new Error('The example has both.');
    const after: StateDocument = {
      ...documented,
      communication: {
        questions: [{ ...question, answered: true, answer: 'No.' }],
        escalations: [{ ...escalation, resolved: true, resolution: 'A person agreed.' }],
      },
    };
    expect(checkOwnership('orchestrator', documented, after)).toEqual([]);
    for (const stage of stages)
      if (stage !== 'orchestrator') expect(checkOwnership(stage, documented, after)).toHaveLength(4);
    const reworded = { questions: [{ ...question, question: 'Other' }], escalations: [escalation] };
    expect(checkOwnership('orchestrator', documented, { ...documented, communication: reworded })).toEqual([
      { path: 'communication.questions[0].question', message: expect.any(String) as string },
    ]);
  });
});
