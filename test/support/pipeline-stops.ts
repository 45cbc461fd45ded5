/** Every stop of the pipeline that waits for a person, each with the way there and with what is said about it. */
import type { GateQuestion } from '../../src/domain/drafts/gate.ts';
import type { House } from '../../src/runs/house.ts';
import type { StageName } from '../../src/workflows/pipeline/rules/stages.ts';
import { override } from './override.ts';
import {
  analysed,
  answered,
  brokenSum,
  finding,
  fixed,
  type PipelineWorld,
  pipelineFiles,
  reviewed,
  type Script,
  triaged,
  written,
} from './pipeline-world.ts';

export interface PipelineStop {
  /** The file of the node that stops. */
  readonly from: string;
  readonly name: string;
  readonly script: Script;
  readonly issue?: typeof brokenSum;
  readonly files?: Readonly<Record<string, string>>;
  readonly until?: StageName;
  /** Done before it is begun. */
  readonly before?: (world: PipelineWorld) => Promise<unknown>;
  readonly house?: (world: PipelineWorld) => House;
  readonly gate: Extract<GateQuestion['kind'], 'escalation' | 'blocked' | 'work'>;
  /** Its own words, as they stand on the issue, in `explain`, in `solve status` and in the document. */
  readonly words: string;
  /** What a person could do, where their answer does not say all. */
  readonly advice?: string;
}

const bug = (title: string, body: string) => ({ ...brokenSum, title, body });
const source = fixed.filter((step) => 'write' in step && step.write === 'src/sum.js');
const rejected = (issue: string, call = 1, more: object = {}) =>
  reviewed(
    {
      ...{ verdict: 'REJECTED', issues: [finding(issue, more)], feedback_for_writer: `${issue} Mend it.` },
    },
    call,
  );
/** Another change each time, of the file that is worked on. */
const again = (call: number, code: string) =>
  written([{ write: 'src/sum.js', content: `// ${call}\n${code}` }], {}, call);
const sum = 'export function sum(a, b) {\n  return a + b;\n}\n';
/** What the model gave instead of a review. */
export const unreadable = (call: number) => ({
  ...reviewed({}, call),
  answer: { object: { verdict: 'PERHAPS' } },
});

/** The base moves each time that the pipeline looks where it is, after the change was reviewed. */
function movingBase(world: PipelineWorld, files: (turn: number) => Readonly<Record<string, string>>): House {
  const { house, fleet } = world;
  let turn = 0;
  const transport = override(house.transport, {
    fetchBranch: async (...args: Parameters<House['transport']['fetchBranch']>) => {
      const ended = await world.entriesOf('stage-ended');
      if (ended.some(({ data }) => data.stage === 'reviewer')) {
        turn += 1;
        fleet.commitToMain(files(turn));
      }
      return house.transport.fetchBranch(...args);
    },
  });
  return { ...house, transport };
}

export const escalationStops: readonly PipelineStop[] = [
  {
    ...{ from: 'triage', name: 'a duplicate', gate: 'escalation', script: [triaged()] },
    issue: bug('sum subtracts the second number', brokenSum.body),
    before: async ({ fleet, number }) => {
      const alice = await fleet.as('alice');
      // The older one is the issue that there is; the newer one asks for the same.
      await alice.editIssue(fleet.repository, number, { title: 'Sum subtracts the second number' });
    },
    words: 'This issue looks like a duplicate of #1: the titles say the same.',
  },
  {
    ...{ from: 'triage', name: 'an issue that says nothing', gate: 'escalation', script: [triaged()] },
    issue: bug('Sum', ''),
    words: 'The issue has no sentence that says what should change.',
  },
  {
    ...{ from: 'triage', name: 'missing information', gate: 'escalation', script: [triaged()] },
    issue: bug('The sum of numbers is broken', 'It came with the last version, I think.'),
    words: 'How can the bug be reproduced?',
  },
  {
    ...{ from: 'triage', name: 'a sensitive area', gate: 'escalation', script: [triaged()] },
    issue: bug('sum of the password hashes is wrong', brokenSum.body),
    words: 'It concerns authentication: it says “password”.',
  },
  {
    ...{ from: 'triage', name: 'a large scope', gate: 'escalation', script: [triaged()] },
    files: {
      ...pipelineFiles,
      ...Object.fromEntries([...'abcdef'].map((name) => [`src/${name}.js`, 'export {};\n'])),
    },
    issue: bug(
      'sum subtracts',
      `${brokenSum.body} See ${[...'abcdef'].map((one) => `src/${one}.js`).join(', ')}.`,
    ),
    words: 'The scope is LARGE: six files or more.',
  },
  {
    ...{ from: 'triage', name: 'a model that sees more', gate: 'escalation' },
    script: [triaged({ should_proceed: false, rejection_reason: 'It asks for two things at once.' })],
    words: 'It asks for two things at once.',
  },
  {
    ...{ from: 'analyst', name: 'a question of the analyst', gate: 'escalation' },
    script: [triaged(), analysed({ questions: [{ to: 'human', question: 'Are strings allowed?' }] })],
    words: 'the analyst stage needs a person: Are strings allowed?',
  },
  {
    ...{ from: 'analyst', name: 'sensitive files of the analysis', gate: 'escalation' },
    files: { ...pipelineFiles, 'src/auth/login.js': 'export {};\n' },
    script: [
      triaged(),
      analysed({ files: [{ path: 'src/auth/login.js', purpose: 'sums', action: 'modify' }] }),
    ],
    words: 'It concerns security: it names `src/auth/login.js`.',
  },
  {
    ...{ from: 'write-change', name: 'a doubt of the writer', gate: 'escalation' },
    script: [triaged(), analysed(), written(fixed, { escalations: ['This is used by the bank.'] })],
    words: 'the writer stage needs a person: This is used by the bank.',
  },
  {
    ...{ from: 'add-spoken', name: 'stages that only ask each other', gate: 'escalation' },
    script: [
      ...[triaged(), analysed()],
      ...[1, 2, 3].map((call) =>
        written([], { questions: [1, 2, 3].map((one) => ask(`Number ${call}.${one}?`)) }, call),
      ),
      ...[1, 2, 3, 4, 5, 6].map((call) => answered('Yes.', call)),
    ],
    words: 'The stages have asked each other more than 6 questions.',
  },
  {
    ...{ from: 'answer', name: 'a question without an answer', gate: 'escalation' },
    script: [
      ...[triaged(), analysed(), written([], { questions: [ask('Where is sum?')] })],
      { ...answered(''), outcome: { turnsExhausted: true } },
    ],
    words: 'The analyst could not answer the writer within 20 turns: Where is sum?',
  },
  {
    ...{ from: 'build', name: 'sensitive files of the change', gate: 'escalation' },
    script: [
      ...[triaged(), analysed({ must_not_do: [] })],
      written([...fixed, { write: 'src/auth/login.js', content: 'export {};\n' }]),
    ],
    words: 'It concerns security: it names `src/auth/login.js`.',
  },
  {
    ...{ from: 'review', name: 'a reviewer that needs to know more', gate: 'escalation' },
    script: [
      ...[triaged(), analysed(), written()],
      reviewed({ verdict: 'NEEDS_INFO', feedback_for_writer: 'Is overflow an error here?' }),
    ],
    words: 'the reviewer stage needs a person: Is overflow an error here?',
  },
];

function ask(question: string) {
  return { to: 'analyst', question };
}

const otherwise = 'Say what should be done differently and have it tried again, or do it by hand.';

export const failureStops: readonly PipelineStop[] = [
  {
    ...{ from: 'escalate', name: 'builds that fail three times', gate: 'blocked', advice: otherwise },
    script: [
      ...[triaged(), analysed()],
      ...[1, 2, 3].map((call) =>
        written(
          [{ write: 'src/sum.js', content: `export const sum = () => ${call};\n` }],
          { test_file: null },
          call,
        ),
      ),
    ],
    words: 'Writer-Reviewer loop exhausted after 3 attempts: the build fails: A test is required',
  },
  {
    ...{ from: 'escalate', name: 'reviews that reject three times', gate: 'blocked', advice: otherwise },
    script: [
      ...[triaged(), analysed(), written(), again(2, sum), again(3, sum)],
      ...[
        rejected('It says nothing about strings.'),
        rejected('The name of the test is odd.', 2, { file: 'test/sum.test.js', line: 5 }),
        rejected('Large numbers lose their digits.', 3, { line: 3 }),
      ],
    ],
    words: 'Writer-Reviewer loop exhausted after 3 attempts: rejected by the reviewer',
  },
  {
    ...{ from: 'review', name: 'a review that finds the same', gate: 'blocked' },
    script: [
      ...[triaged(), analysed(), written(), again(2, sum)],
      ...[rejected('It lacks a comment.'), rejected('It lacks a comment.', 2)],
    ],
    words: 'The review finds the same as before the last correction',
    advice: 'Say what to do differently, correct it yourself, or dismiss the findings that do not apply.',
  },
  {
    ...{ from: 'review', name: 'a review that contradicts itself', gate: 'blocked' },
    script: [
      ...[triaged(), analysed(), written(), again(2, sum)],
      ...[rejected('Missing null check'), rejected('Unneeded null check', 2)],
    ],
    words: 'The review asks for the opposite of what it asked for before',
    advice: 'Decide which of the two is meant and say so, or dismiss the finding that does not apply.',
  },
  {
    ...{ from: 'review', name: 'a review that cannot be read', gate: 'blocked' },
    script: [triaged(), analysed(), written(), ...[1, 2, 3, 4].map(unreadable)],
    words: 'The answer of the reviewer could not be read twice in a row.',
    advice: 'Have it reviewed again, name another model as reviewer, or review it yourself.',
  },
  {
    ...{ from: 'ask-stage', name: 'a stage that writes what is not its own', gate: 'blocked' },
    script: [triaged({ verdict: 'APPROVED' }), triaged({ verdict: 'APPROVED' }, 2)],
    words: 'The triage stage wrote twice what is not its own: triage may not write "verdict".',
    advice:
      'Have it tried again with other words or another model; "gatewright runs show" shows what it wrote.',
  },
  {
    ...{ from: 'analyst', name: 'an analysis that cannot be used', gate: 'blocked' },
    script: [triaged(), ...[1, 2, 3].map((call) => analysed({ must_do: [] }, call))],
    words: 'cannot be used. - must_do: The analysis does not say what has to be done.',
    advice: 'Have it tried again, and say which files are meant.',
  },
  {
    ...{ from: 'analyst', name: 'an analyst that comes to no end', gate: 'blocked' },
    script: [triaged(), { ...analysed(), outcome: { turnsExhausted: true } }],
    words: 'No analysis of #1 came of 30 turns.',
    advice: 'Say in a comment what to look at, or split the issue.',
  },
  {
    ...{ from: 'follow-base', name: 'a base that moves on and on', gate: 'blocked' },
    script: [triaged(), analysed(), written(), reviewed()],
    house: (world) => movingBase(world, (turn) => ({ 'README.md': `# Turn ${turn}\n` })),
    words: 'main moved 5 times while the change was built for it.',
    advice: 'Have it tried again when there is less going on.',
  },
  {
    ...{ from: 'follow-base', name: 'a base that conflicts again and again', gate: 'blocked' },
    script: [
      ...[triaged(), analysed({ must_not_do: [] })],
      ...[1, 2, 3].map((call) => written([...source, ...fixed.slice(1)], {}, call)),
      ...[1, 2, 3].map((call) => reviewed({}, call)),
    ],
    house: (world) =>
      movingBase(world, (turn) => ({
        'src/sum.js': `export function sum(a, b) {\n  return a - b - ${turn};\n}\n`,
      })),
    words: 'Writer-Reviewer loop exhausted after 3 attempts: the change conflicts with the base',
    advice: otherwise,
  },
];

export const workStop: PipelineStop = {
  ...{ from: 'run-stage', name: 'a stage after which it was to stop', gate: 'work', until: 'triage' },
  script: [triaged(), analysed(), written(), reviewed()],
  words: 'the triage stage has ended: SMALL, may proceed',
};
