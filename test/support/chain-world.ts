/** One small project for the chains of agents, with a coding agent and a reviewer on one cassette. */
import type { FleetRoom } from './fleet-room.ts';
import { FleetWorld } from './fleet-world.ts';
import { GithubFleetWorld } from './github-fleet-world.ts';

export const forges = ['the local forge', 'GitHub'] as const;

/** In the process of the runner: the chains run it hundreds of times, and a process for a file with one test takes as long. */
export const check = ['node', '--test', '--test-isolation=none'];

const testOf = (cases: string): string =>
  `import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { sum } from '../src/sum.mjs';\n\n${cases}\n`;

export const chainFiles = {
  'src/sum.mjs': 'export function sum(a, b) {\n  return a - b;\n}\n',
  'test/sum.test.mjs': testOf("test('of nothing', () => assert.equal(sum(0, 0), 0));"),
};

/** Adds, and forgets what happens to texts. */
const firstAttempt = {
  role: 'implementer',
  call: 1,
  request: { includes: ['sum subtracts'] },
  steps: [
    { edit: 'src/sum.mjs', replace: 'a - b', with: 'a + b' },
    {
      write: 'test/sum.test.mjs',
      content: testOf("test('of two', () => assert.equal(sum(1, 2), 3));"),
    },
    { run: check },
  ],
  outcome: {
    text: 'Done.',
    object: { summary: 'sum adds now.', testing: 'A test of sum.', risk: 'auto-merge', questions: [] },
  },
  usage: { inputTokens: 1000, outputTokens: 100, costUsd: 0.02 },
};

const correction = {
  role: 'fixer',
  call: 1,
  request: { includes: ['joined instead of added'] },
  steps: [
    { edit: 'src/sum.mjs', replace: 'a + b', with: 'Number(a) + Number(b)' },
    {
      write: 'test/sum.test.mjs',
      content: testOf(
        "test('of two', () => assert.equal(sum(1, 2), 3));\ntest('of texts', () => assert.equal(sum('1', '2'), 3));",
      ),
    },
    { run: check },
  ],
  outcome: {
    text: 'Done.',
    object: { summary: 'Texts are added too.', testing: 'A test.', risk: 'auto-merge', questions: [] },
  },
};

const finding = {
  path: 'src/sum.mjs',
  line: 2,
  severity: 'major',
  category: 'bug',
  title: 'Texts are joined instead of added',
  detail: "sum('1', '2') is '12'.",
};

const review = (call: number, findings: readonly object[]) => ({
  role: 'reviewer',
  call,
  request: { includes: ['src/sum.mjs'] },
  answer: { object: { summary: findings.length === 0 ? 'Fine.' : 'One bug.', findings } },
});

/** What a cassette holds besides, or instead. */
export interface Tape {
  readonly work?: readonly object[];
  readonly calls?: readonly object[];
}

export const wholeTape: Tape = {
  work: [firstAttempt, correction],
  calls: [review(1, [finding]), review(2, [])],
};
/** What is said of a build that fails. */
export const doctorTape: Tape = {
  calls: [
    {
      role: 'doctor',
      call: 1,
      request: { includes: ['expected 3, got -1'] },
      answer: {
        object: {
          what: 'A test of sum fails.',
          why: 'sum subtracts.',
          fix: 'Turn the sign around in `src/sum.mjs`.',
          confidence: 'high',
        },
      },
    },
  ],
};

/** The correction never helps: the reviewer always finds something else. */
export const endlessTape: Tape = {
  work: [
    firstAttempt,
    ...[1, 2, 3].map((call) => ({
      ...correction,
      call,
      request: { includes: ['Wrong again'] },
      steps: [{ write: `try-${call}.mjs`, content: `export const attempt = ${call};\n` }],
    })),
  ],
  calls: [1, 2, 3, 4].map((call) =>
    review(call, [
      {
        ...finding,
        ...(call === 1 ? {} : { path: `try-${call - 1}.mjs`, line: 1 }),
        title: `Wrong again ${call}`,
      },
    ]),
  ),
};

const planned = {
  role: 'planner',
  request: { includes: ['sum subtracts'] },
  steps: [{ say: 'Looking.' }],
};

/** A plan, its revision, and then the work. */
export const plannedTape: Tape = {
  work: [
    { ...planned, call: 1, outcome: { text: '1. Turn the sign around.' } },
    {
      ...planned,
      call: 2,
      request: { includes: ['Turn the sign around', 'texts'] },
      outcome: { text: '1. Turn the sign around.\n2. Make numbers of texts.' },
    },
    { ...firstAttempt, request: { includes: ['Make numbers of texts'] } },
  ],
  calls: [review(1, [])],
};

/** The turns run out, once or for ever. */
export function tiredTape(times: number): Tape {
  return {
    work: [1, 2, 3, 4].map((call) =>
      call <= times
        ? {
            ...firstAttempt,
            call,
            steps: [{ write: `notes-${call}.md`, content: `Round ${call}.\n` }],
            outcome: { turnsExhausted: true },
          }
        : { ...firstAttempt, call },
    ),
    calls: [review(1, [])],
  };
}

/** Settings under which the models say what is on the tape. */
export function playTape(world: Pick<FleetRoom, 'cassette'>, tape: Tape): Readonly<Record<string, string>> {
  const file = world.cassette({
    format: 'gatewright-cassette/1',
    about: 'A chain of agents.',
    models: {
      coder: { name: 'claude-sonnet-4-5', title: 'Claude' },
      reviewer: { name: 'gemini-2.5-pro', title: 'Gemini' },
      writer: { name: 'gemini-2.5-pro', title: 'Gemini' },
    },
    ...tape,
  });
  return {
    GATEWRIGHT_VERIFY: check.join(' '),
    GATEWRIGHT_CODER: `cassette:${file}`,
    GATEWRIGHT_CODE_REVIEWER: `cassette:${file}`,
    GATEWRIGHT_WRITER: `cassette:${file}`,
  };
}

export async function openChain(
  forge: (typeof forges)[number],
  tape: Tape = wholeTape,
  environment: Readonly<Record<string, string>> = {},
): Promise<FleetRoom> {
  const kind = forge === 'GitHub' ? GithubFleetWorld : FleetWorld;
  // The cassette lies in the playground's folder, which is there once the world is.
  const world = await kind.open(chainFiles, { GATEWRIGHT_VERIFY: check.join(' ') });
  return world.reopen({ ...playTape(world, tape), ...environment });
}

/** Alice files an issue, as the event that tells of it. */
export async function fileOrder(world: FleetRoom, text = 'sum(1, 2) is -1. @claude please.') {
  const alice = await world.as('alice');
  const issue = { title: 'sum subtracts', body: text, labels: [] };
  const { number } = await alice.createIssue(world.repository, issue);
  return { number, event: world.event('issue-opened', { number, text: `${issue.title}\n\n${text}` }) };
}
