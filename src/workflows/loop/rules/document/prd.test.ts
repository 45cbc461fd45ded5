/** prd.json comes from a branch that agents and people write to: it is read as hostile text, and every error is named at once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostileText } from '../../../../../test/support/hostile-text.ts';
import { editJson } from './edit-json.ts';
import { type Prd, readPrd } from './prd.ts';
import { makePrdJsonSchema } from './prd-schema.ts';
import { makeTaskUid } from './task-uid.ts';

/** The example of the workflow's document, byte for byte. */
const documented = `{
  "project": "feature-name",
  "issueNumber": 42,
  "branchName": "ai/issue-42-feature",
  "userStories": [
    {
      "id": "US-001",
      "title": "Task title",
      "description": "What to do",
      "acceptanceCriteria": ["Testable criterion 1", "Testable criterion 2"],
      "verifyCommands": ["npm run test"],
      "passes": false,
      "attempts": 0
    }
  ]
}
`;

/** The older form: no issue, no commands, no attempts. */
const older = JSON.stringify({
  project: 'MyApp',
  branchName: 'ralph/task-priority',
  description: 'Task priority system',
  userStories: [1, 2].map((place) => ({
    id: `US-00${place}`,
    title: 'Add priority field to database',
    description: 'As a developer, I need to store task priority.',
    acceptanceCriteria: ['Add priority column', 'Typecheck passes'],
    priority: place,
    passes: false,
    notes: '',
  })),
});

function prdOf(text: string): Prd {
  const read = readPrd(text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.prd;
}

function problemsOf(value: unknown): Record<string, string> {
  const read = readPrd(typeof value === 'string' ? value : JSON.stringify(value));
  if ('prd' in read) return {};
  return Object.fromEntries(read.problems.map(({ path, message }) => [path, message]));
}

const story = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 'US-001',
  title: 'Add the endpoint',
  description: 'Adds GET /health.',
  acceptanceCriteria: ['GET /health returns 200'],
  verifyCommands: ['npm test'],
  passes: false,
  attempts: 0,
  ...more,
});
const prd = (...stories: Record<string, unknown>[]): Record<string, unknown> => ({
  project: 'health',
  issueNumber: 42,
  branchName: 'ai/issue-42-health',
  userStories: stories,
});

describe('files of the document and of older tools', () => {
  it('loads the example of the document', () => {
    expect(prdOf(documented)).toMatchObject({
      issueNumber: 42,
      globalVerifyCommands: [],
      userStories: [
        {
          id: 'US-001',
          uid: makeTaskUid({ issue: 42, title: 'Task title', discoveredFrom: null, ordinal: 1 }),
          priority: 999,
          dependsOn: [],
          files: [],
          discoveredFrom: null,
          discoverySource: null,
          lastAttempt: null,
          requiresBrowserVerification: false,
        },
      ],
    });
  });

  it('loads the older form, and gives two tasks with one title uids of their own', () => {
    const [first, second] = prdOf(older).userStories;
    expect(first).toMatchObject({ attempts: 0, verifyCommands: [], priority: 1, notes: '' });
    expect(first?.uid).toMatch(/^tsk_[0-9a-f]{12}$/u);
    expect(first?.uid).not.toBe(second?.uid);
    expect(prdOf(older).issueNumber).toBeNull();
  });

  it('keeps fields that it does not know, and the text around an edit', () => {
    const text = documented.replace('"passes": false', '"passes": false, "x-tool": {"deep": [1]}');
    expect(prdOf(text).userStories[0]).toMatchObject({ 'x-tool': { deep: [1] } });
    expect(editJson(text, [{ path: ['userStories', 0, 'passes'], value: true }])).toBe(
      text.replace('"passes": false', '"passes": true'),
    );
  });

  it('loads everything that the tools have added', () => {
    const uid = 'tsk_0123456789ab';
    const whole = {
      ...prd(
        story({ uid, phase: 1, priority: 1, files: ['src/a.ts'], lastAttempt: null }),
        story({
          id: 'US-002',
          uid: 'tsk_ba9876543210',
          phase: 'logic',
          dependsOn: ['US-001'],
          discoveredFrom: uid,
          discoverySource: 'task_log',
          lastAttempt: '2026-02-10T18:30:00Z',
          requiresBrowserVerification: true,
        }),
      ),
      generatedAt: '2026-02-10T18:30:00Z',
      status: 'approved',
      formula: 'bugfix',
      compaction: { taskLogCountSinceLastSummary: 2, summaryEveryNTaskLogs: 5 },
      globalVerifyCommands: ['npm run lint'],
      memory: {
        patterns: [{ key: 'ptn_0123456789ab', statement: 's', confidence: 0.9, files: [], syncedDocs: [] }],
      },
      quality: {
        reviewMode: 'hybrid',
        reviewPolicy: { any: 1 },
        reviewCursor: { lastProcessedReviewCommentUrl: null },
        findings: [
          { key: 'r:f', scope: 'task', evidence: { file: 'a', line: '328-329,544' }, enqueuedTaskIds: [] },
        ],
        processedReviewKeys: [],
        finalReview: { status: 'pending' },
        execution: { consecutiveRetries: 1, currentTaskId: 'US-001', lastReplanAt: null },
      },
      debugState: {
        status: 'replan_required',
        debugAttempts: 1,
        debugHistory: [{ attempt: 1, type: 'Error' }],
      },
    };
    expect(problemsOf(whole)).toEqual({});
    expect(prdOf(JSON.stringify(whole)).debugState?.status).toBe('replan_required');
    expect(problemsOf({ ...whole, debugState: { status: 'pending' } })).toEqual({});
  });
});

describe('problems', () => {
  it('are named all at once, each with its path', () => {
    const broken = {
      project: 7,
      branchName: '../x y',
      issueNumber: 0,
      formula: 'epic',
      debugState: { status: 'fine' },
      userStories: [
        story({ dependsOn: ['US-009'] }),
        story({ title: 'two\nlines' }),
        story({ id: 'US-3', verifyCommands: ['npm test\nrm -rf /', 'npm \u202Etset'] }),
        { id: 'US-004', title: 'x', acceptanceCriteria: 'all', passes: 'no', attempts: -1, uid: 'tsk_x' },
      ],
    };
    expect(Object.keys(problemsOf(broken)).sort()).toEqual(
      [
        ...['project', 'branchName', 'issueNumber', 'formula', 'debugState.status'],
        ...['userStories[0].dependsOn[0]', 'userStories[1].title', 'userStories[1].id'],
        ...['userStories[2].id', 'userStories[2].verifyCommands[0]', 'userStories[2].verifyCommands[1]'],
        ...['userStories[3].description', 'userStories[3].acceptanceCriteria', 'userStories[3].passes'],
        ...['userStories[3].attempts', 'userStories[3].uid'],
      ].sort(),
    );
    expect(problemsOf(broken)['userStories[3].description']).toBe('is missing');
  });

  it.each([
    [
      'a key twice',
      documented.replace('"attempts": 0', '"attempts": 0, "passes": true'),
      'userStories[0].passes',
    ],
    [
      'a key twice in escapes',
      documented.replace('"attempts"', '"p\\u0061sses": true, "attempts"'),
      'userStories[0].passes',
    ],
    ['no JSON', '{', ''],
    ['a list', '[]', ''],
    ['null', 'null', ''],
    ['too much', `{"x":"${'é'.repeat(500_000)}"}`, ''],
    ['no stories', prd(), 'userStories'],
    [
      '201 stories',
      prd(...Array.from({ length: 201 }, (_, at) => story({ id: `US-${1000 + at}` }))),
      'userStories',
    ],
    ['an id twice', prd(story(), story()), 'userStories[1].id'],
    [
      'a uid twice',
      prd(story({ uid: 'tsk_0123456789ab' }), story({ id: 'US-002', uid: 'tsk_0123456789ab' })),
      'userStories[1].uid',
    ],
    ['itself', prd(story({ dependsOn: ['US-001'] })), 'userStories[0].dependsOn[0]'],
    ['a story that is no object', prd(story(), 5 as never), 'userStories[1]'],
  ])('name the place: %s', (_, text, path) => {
    expect(Object.keys(problemsOf(text))).toEqual([path]);
  });

  it('show a circle', () => {
    const circle = prd(
      story({ dependsOn: ['US-003'] }),
      story({ id: 'US-002', dependsOn: ['US-001'] }),
      story({ id: 'US-003', dependsOn: ['US-002'] }),
    );
    expect(Object.values(problemsOf(circle))).toEqual(['makes a circle: US-001 → US-003 → US-002 → US-001']);
  });

  it('say in which line a text stops being JSON', () => {
    expect(problemsOf('{\n  "a": 1,\n}')['']).toBe(
      'is not JSON: line 3, column 1: a key in double quotes expected, found "}"',
    );
  });

  it('are short, however long the keys are that stand twice', () => {
    const deep = (inside: string): string => `{"${'k'.repeat(4000)}":${inside}}`;
    const twice = Array.from({ length: 20_000 }, () => '"passes":1').join(',');
    const read = readPrd(deep(deep(deep(deep(`{${twice}}`)))));
    if ('prd' in read) throw new Error('It was read.');
    expect(read.problems).toHaveLength(101);
    expect(JSON.stringify(read.problems).length).toBeLessThan(100_000);
  });

  it('are not endless', () => {
    const many = prd(...Array.from({ length: 150 }, (_, at) => ({ id: `US-${1000 + at}` })));
    const read = readPrd(JSON.stringify(many));
    expect('problems' in read && read.problems).toHaveLength(101);
  });
});

describe('any text', () => {
  const anyValue = fc.jsonValue({ maxDepth: 3 });
  const fields = [
    ...[
      'id',
      'uid',
      'title',
      'description',
      'files',
      'dependsOn',
      'discoveredFrom',
      'discoverySource',
      'priority',
    ],
    ...['acceptanceCriteria', 'verifyCommands', 'passes', 'attempts', 'lastAttempt', 'phase', '__proto__'],
  ];
  const wildStory = fc
    .tuple(
      fc.constantFrom(...fields),
      anyValue,
      fc.constantFrom('US-001', 'US-002', 'US-003'),
      fc.subarray(['US-001', 'US-002', 'US-003']),
    )
    .map(([field, value, id, dependsOn]) => story({ id, dependsOn, [field]: value }));
  const wildRoot = fc
    .tuple(
      fc.array(wildStory, { maxLength: 4 }),
      fc.constantFrom('project', 'issueNumber', 'branchName', 'quality', 'debugState', 'memory', 'other'),
      anyValue,
    )
    .map(([stories, field, value]) => ({ ...prd(...stories), [field]: value }));

  it('is either a task list whose every rule holds, or has problems with paths that exist in words', () => {
    fc.assert(
      fc.property(wildRoot, (value) => {
        const read = readPrd(JSON.stringify(value));
        if ('problems' in read) {
          expect(read.problems.length).toBeGreaterThan(0);
          for (const { message } of read.problems) expect(message).toMatch(/^[a-z]/u);
          return;
        }
        const { userStories } = read.prd;
        const ids = userStories.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(new Set(userStories.map(({ uid }) => uid)).size).toBe(ids.length);
        // A list in which every task can pass: taking out tasks without open dependencies again and again empties it.
        let left = userStories;
        for (let round = 0; round <= ids.length; round += 1) {
          const open = new Set(left.map(({ id }) => id));
          left = left.filter(({ dependsOn }) => dependsOn.some((id) => open.has(id)));
        }
        expect(left).toEqual([]);
        for (const one of userStories)
          for (const command of one.verifyCommands) expect(command).toMatch(/^[^\n\r\u202e]+$/u);
      }),
      { numRuns: 400 },
    );
  });

  it('never throws', () => {
    const fragments = [
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      'null',
      '1e999',
      '"userStories"',
      '"id"',
      '\u2028',
      '\uFEFF',
      '"__proto__"',
      '\n',
    ];
    fc.assert(
      fc.property(hostileText(fragments), (text) => {
        expect(readPrd(text)).toHaveProperty('problems');
      }),
      { numRuns: 400 },
    );
  });
});

it('publishes a JSON Schema that asks for what the oldest files have', () => {
  const schema = makePrdJsonSchema() as {
    required: string[];
    properties: { userStories: { items: { required: string[] } } };
  };
  expect(schema.required).toEqual(['project', 'branchName', 'userStories']);
  expect(schema.properties.userStories.items.required).toEqual([
    ...['id', 'title', 'description', 'acceptanceCriteria', 'passes'],
  ]);
});
