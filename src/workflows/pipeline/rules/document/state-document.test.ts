/** issue-state.json is written by models and people: every error is named at once, and nothing that is read is lost. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyState } from '../../../../../test/support/any-state.ts';
import { documentedState } from '../../../../../test/support/documented-state.ts';
import { thrownCode } from '../../../../../test/support/thrown-code.ts';
import { readState, type StateDocument, writeState } from './state-document.ts';
import {
  complexities,
  issueTypes,
  makeStateJsonSchema,
  outcomes,
  pipelineStatuses,
  scopes,
  severities,
  triageDecisions,
  verdicts,
} from './state-schema.ts';
import { isTreePath } from './tree-path.ts';
import { decidedOf } from './undecided.ts';

function stateOf(text: string): StateDocument {
  const read = readState(text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.state;
}

function problemsOf(value: unknown): Record<string, string> {
  const read = readState(typeof value === 'string' ? value : JSON.stringify(value));
  if ('state' in read) return {};
  return Object.fromEntries(read.problems.map(({ path, message }) => [path, message]));
}

const documented = stateOf(documentedState);

describe('the example of the document', () => {
  it('is read, and means what it says', () => {
    expect(documented).toEqual(JSON.parse(documentedState));
  });

  it('is the same document when it is written and read again, and then the same bytes', () => {
    const written = writeState(documented);
    expect(written).toBe(`${JSON.stringify(JSON.parse(documentedState), null, 2)}\n`);
    expect(stateOf(written)).toEqual(documented);
    expect(writeState(stateOf(written))).toBe(written);
  });

  it('has decided nothing where it lists the choices', () => {
    const { issue, pipeline, triage, review } = documented;
    for (const value of [issue.type, pipeline.status, triage.scope, triage.complexity, review.verdict]) {
      expect(value).toContain(' | ');
      expect(decidedOf(value)).toBeNull();
    }
    expect(decidedOf(null)).toBeNull();
    expect(decidedOf('LARGE')).toBe('LARGE');
  });

  it('may list all choices of a field and no other list', () => {
    const lists = [
      'BUG_FIX | NEW_FEATURE',
      'NEW_FEATURE | BUG_FIX | REFACTOR_STYLE',
      'SMALL | MEDIUM | LARGE',
      '',
    ];
    for (const type of lists)
      expect(Object.keys(problemsOf({ ...documented, issue: { ...documented.issue, type } }))).toEqual([
        'issue.type',
      ]);
  });

  it('is read with each combination of single choices', () => {
    let combinations = 0;
    for (const type of [...issueTypes, null])
      for (const status of [...pipelineStatuses, 'error' as const])
        for (const scope of [...scopes, null])
          for (const complexity of [...complexities, null])
            for (const verdict of [...verdicts, null]) {
              combinations += 1;
              const state: StateDocument = {
                ...documented,
                issue: { ...documented.issue, type },
                pipeline: { ...documented.pipeline, status },
                triage: { ...documented.triage, scope, complexity },
                review: { ...documented.review, verdict },
              };
              expect(isDeepStrictEqual(stateOf(JSON.stringify(state)), state)).toBe(true);
            }
    expect(combinations).toBe(4 * 5 * 4 * 4 * 4);
  });
});

it('reads everything that the tools have added', () => {
  const [finding] = documented.review.findings.issues;
  if (finding === undefined) throw new Error('The example has a finding.');
  for (const decision of triageDecisions)
    for (const outcome of outcomes)
      for (const severity of severities) {
        const state: StateDocument = {
          ...documented,
          pipeline: { ...documented.pipeline, blocked_reason: 'unclear', failure_reason: null },
          triage: { ...documented.triage, concerns: ['data loss'], questions: [], decision },
          analysis: { ...documented.analysis, issue_type: 'BUG_FIX', scope: 'SMALL' },
          review: {
            ...documented.review,
            findings: { good: [], issues: [{ ...finding, severity, id: 'F1' }] },
          },
          commit: {
            ...documented.commit,
            test_instructions: { command: 'npm start', url: 'http://localhost:3000/', steps: ['Look'] },
          },
          learnings: { ...documented.learnings, outcome, duration_minutes: 1.5, attempts_used: 2 },
        };
        expect(stateOf(writeState(state))).toEqual(state);
      }
});

describe('writing', () => {
  it('gives back the bytes of what was written before, with unknown fields on every level', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const text = writeState(state);
        expect(writeState(stateOf(text))).toBe(text);
        expect(isDeepStrictEqual(stateOf(text), state)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('refuses a state that could not be read again', () => {
    const broken = { ...documented, writer: { ...documented.writer, test_file: '../x' } };
    expect(thrownCode(() => writeState(broken))).toBe('issue-state-invalid');
  });
});

it('names all problems at once, each with its path', () => {
  const broken = {
    ...documented,
    version: 1,
    pipeline: { ...documented.pipeline, started_at: 'yesterday', attempt: -1, current_agent: 'boss' },
    analysis: { ...documented.analysis, files: [{ path: '/etc/passwd', purpose: 7, action: 'burn' }] },
    commit: { ...documented.commit, branch: '../x y', hash: 'HEAD' },
    communication: { questions: [{ from: 'writer' }] },
    newer: { '\ud800': 1 },
  };
  expect(problemsOf(broken)).toEqual({
    version: 'has to be a version such as "1.0"',
    'pipeline.started_at': 'has to be a time such as 2024-01-15T10:30:00Z',
    'pipeline.attempt': 'may not be negative',
    'pipeline.current_agent': expect.stringContaining('has to be one of triage, analyst') as string,
    'analysis.files[0].path': expect.stringContaining('has to be a plain path inside the tree') as string,
    'analysis.files[0].purpose': 'has to be text',
    'analysis.files[0].action': 'has to be one of create, modify, delete',
    'commit.branch': expect.stringContaining('has to be a plain branch name') as string,
    'commit.hash': 'has to be the hash of a commit',
    'communication.questions[0].to': 'is missing',
    'communication.questions[0].question': 'is missing',
    'communication.questions[0].answered': 'is missing',
    'communication.questions[0].answer': 'is missing',
    'communication.escalations': 'is missing',
    'newer["\\ud800"]': 'is a key with half of a character (a lone surrogate)',
  });
});

it.each([
  ['1', true],
  ['1.50', true],
  ['-0', true],
  ['1e21', true],
  ['0.1', true],
  ['100e-2', true],
  ['5e-324', true],
  ['9007199254740993', false],
  ['0.10000000000000000001', false],
  ['1e999', false],
  ['-1e999', false],
  ['1e-999', false],
  [`1e${'9'.repeat(90)}`, false],
  ['1'.repeat(1_000_000), false],
])('keeps the number %.30s in an unknown field, or refuses it: %s', (raw, isKept) => {
  const text = documentedState.replace('"version"', `"newer": [${raw}], "version"`);
  expect(Object.keys(problemsOf(text))).toEqual(isKept ? [] : ['newer[0]']);
});

it.each([...['src/a.ts', 'a', 'ä/b c.ts', '.github/workflows/ci.yml', '.gitignore', 'a..b/c', '~/x']])(
  'takes the path %j',
  (path) => {
    expect(isTreePath(path)).toBe(true);
  },
);

it.each([
  ...[
    '',
    '.',
    '..',
    '/',
    '/etc/passwd',
    '../a',
    'a/../b',
    'a/..',
    './a',
    'a//b',
    'a/',
    'a\\b',
    'C:/x',
    'c:x',
  ],
  ...['a\0b', 'a\nb', 'a\tb', 'a\u202Eb', '.git/config', 'a/.GIT/hooks/x', '.git', 'git~1/config', '.. /a'],
  ...['.git./x', '.git ', 'a/.g\u200Dit/config', 'GITMOD~1', 'x'.repeat(501)],
])('refuses the path %j', (path) => {
  expect(isTreePath(path)).toBe(false);
});

it('publishes a JSON Schema that asks for all fields of the document', () => {
  const example = JSON.parse(documentedState) as Record<string, object>;
  const schema = makeStateJsonSchema() as {
    required: string[];
    properties: Record<string, { required?: string[]; additionalProperties?: unknown }>;
  };
  expect(schema.required).toEqual(Object.keys(example));
  for (const [section, fields] of Object.entries(example))
    if (typeof fields === 'object') expect(schema.properties[section]?.required).toEqual(Object.keys(fields));
  expect(schema.properties.issue?.additionalProperties).toEqual({});
});
