/**
 * What the models say in the pipelines of the little internet: analyst and writer as the Claude Code CLI gets it, triage
 * and reviewer as their providers are asked, or as the CLI is. They answer from what they are shown and remember nothing.
 */
import type { CassetteWork } from '../../src/domain/recordings/cassette-work.ts';
import {
  analysed,
  answered,
  brokenSum,
  finding,
  fixed,
  pipelineFiles,
  reviewed,
  triaged,
  written,
} from '../support/pipeline-world.ts';
import { answerWith, type Reply, type SeenRequest, type ToolUse } from '../support/scripted-provider.ts';
import { endWith, takeNextStep, writeSteps } from './claude-steps.ts';

/** What is in the project beside that of every chain: it needs no package, and its tests run as it is. */
export const calculatorFiles: Readonly<Record<string, string | null>> = {
  ...pipelineFiles,
  ...{ 'package-lock.json': null, '.npmrc': null },
};

export const missingProduct = {
  title: 'Add product',
  body: 'Write `product(a, b)` in `src/product.js`, beside `src/sum.js`. It is done when `product(2, 3)` is 6.',
  labels: ['enhancement'],
};

export const escalation = 'Who owns this file?';
export const question = 'May sum be given strings?';
export const reply = 'No: src/sum.js takes numbers only.';
export const remark = 'It does not say that it takes numbers only.';

type Steps = CassetteWork['steps'];

interface Story {
  readonly title: string;
  readonly triage: object;
  readonly analysis: object;
  /** What the writer leaves, and says of it. */
  write(attempt: number, isAnswered: boolean): { readonly steps: Steps; readonly report: object };
  review(change: string): object;
}

const objectOf = (call: ReturnType<typeof triaged> | ReturnType<typeof written>): object =>
  (('answer' in call ? call.answer : call.outcome) as { readonly object: object }).object;

const commented = '// Numbers only.\n';
export const finalSum = `${commented}export function sum(a, b) {\n  return a + b;\n}\n`;

/** A person is asked, the writer asks the analyst, and the reviewer rejects once. */
const sumStory: Story = {
  title: brokenSum.title,
  triage: objectOf(triaged({ escalations: [escalation] })),
  analysis: objectOf(
    analysed({
      observations: [{ type: 'pattern_discovered', content: 'Tests use node:test.', file: null }],
    }),
  ),
  write(attempt, isAnswered) {
    if (!isAnswered)
      return {
        steps: [],
        report: objectOf(written([], { questions: [{ to: 'analyst', question }], test_file: null })),
      };
    const steps: Steps = attempt === 1 ? fixed : [{ write: 'src/sum.js', content: finalSum }];
    const report = { try_it: ['Call `sum(1, 2)` in a REPL: it is 3.'] };
    return { steps, report: objectOf(written(steps, report)) };
  },
  review: (change) =>
    change.includes('Numbers only')
      ? objectOf(reviewed())
      : objectOf(
          reviewed({
            ...{ verdict: 'REJECTED', issues: [finding(remark)] },
            feedback_for_writer: 'Say it in a comment.',
          }),
        ),
};

const productTest = (call: string, expected: number, from: string): string =>
  `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${from} } from '../src/${from}.js';\n\ntest('multiplies', () => assert.equal(${call}, ${expected}));\n`;

/** The first test of the writer would pass without its change, too. */
const productStory: Story = {
  title: missingProduct.title,
  triage: objectOf(triaged()),
  analysis: objectOf(
    analysed({
      brief: '`product` is missing. It belongs into a file of its own, as `sum` has one in `src/sum.js`.',
      files: [{ path: 'src/product.js', purpose: 'holds product', action: 'create' }],
      test_requirement: {
        ...{ required: true, type: 'happy_path', location: 'test/product.test.js' },
        description: 'product(2, 3) is 6',
      },
      ...{ must_do: ['product(2, 3) is 6'], must_not_do: ['Do not change src/sum.js'] },
    }),
  ),
  write(attempt) {
    const isRight = attempt > 1;
    const steps: Steps = [
      { write: 'src/product.js', content: 'export function product(a, b) {\n  return a * b;\n}\n' },
      {
        write: 'test/product.test.js',
        content: isRight ? productTest('product(2, 3)', 6, 'product') : productTest('sum(0, 0)', 0, 'sum'),
      },
    ];
    const changes = [{ file: 'src/product.js', description: 'multiplies' }];
    const report = { summary: 'It multiplies.', changes, test_file: 'test/product.test.js' };
    return { steps, report: objectOf(written(steps, report)) };
  },
  review: () => objectOf(reviewed()),
};

/** One answer of a model that does nothing else. */
function say(seen: SeenRequest, object: object): Reply {
  return seen.isStream ? takeNextStep(seen, () => [endWith(object)]) : answerWith(seen, object);
}

function analyse(folder: string, { analysis }: Story): ToolUse[] {
  return [{ name: 'Read', input: { file_path: `${folder}/src/sum.js` } }, endWith(analysis)];
}

function write(folder: string, text: string, story: Story): ToolUse[] {
  const attempt = Number(/This is attempt (\d+)/u.exec(text)?.[1] ?? 1);
  const { steps, report } = story.write(attempt, text.includes(reply));
  return [...writeSteps(folder, steps, attempt > 1 || steps === fixed), endWith(report)];
}

/** The stage that a request is of; null for one of the fleet, or of none. */
export function stageOf({ text }: Pick<SeenRequest, 'text'>): string | null {
  const openings = {
    triage: 'You decide whether software agents may work on an issue by themselves',
    analyst: 'You are the analyst of a small team',
    answer: 'You belong to a small team that works on one issue',
    writer: 'You are the writer of a small team',
    reviewer: 'You review a change before it is committed',
  };
  return Object.entries(openings).find(([, words]) => text.includes(words))?.[0] ?? null;
}

export function answerPipeline(seen: SeenRequest): Reply {
  const { text } = seen;
  if (text.includes('You review a change to a software project'))
    return say(seen, { summary: 'Fine.', findings: [] });
  const story = text.includes(missingProduct.title) ? productStory : sumStory;
  switch (stageOf(seen)) {
    case 'triage':
      return say(seen, story.triage);
    case 'analyst':
      return takeNextStep(seen, (folder) => analyse(folder, story));
    case 'answer':
      return say(seen, objectOf(answered(reply)));
    case 'writer':
      return takeNextStep(seen, (folder) => write(folder, text, story));
    case 'reviewer':
      return say(seen, story.review(text));
    default:
      return answerWith(seen, 'Hello.');
  }
}
