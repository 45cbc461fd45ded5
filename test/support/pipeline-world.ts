/** A pipeline on the local forge in this process: real git, real SQLite, real test runs, a writer that edits real files. */
import type { GateQuestion } from '../../src/domain/drafts/gate.ts';
import type { EntryKind, EntryOf, LedgerEntry } from '../../src/domain/ledger/ledger-entry.ts';
import type { CassetteFile } from '../../src/domain/recordings/cassette.ts';
import type { CassetteWork } from '../../src/domain/recordings/cassette-work.ts';
import type { House } from '../../src/runs/house.ts';
import {
  findPipeline,
  type PipelineOptions,
  type PipelineOutcome,
  resumePipeline,
  startPipeline,
} from '../../src/workflows/pipeline/drive-pipeline.ts';
import type { StateDocument } from '../../src/workflows/pipeline/rules/document/state-document.ts';
import type { StageName } from '../../src/workflows/pipeline/rules/stages.ts';
import { FleetWorld } from './fleet-world.ts';
import type { Work } from './loop-cassette.ts';
import type { Answer } from './loop-world.ts';

export type Call = NonNullable<CassetteFile['calls']>[number];
type Steps = CassetteWork['steps'];

export const pipelineFiles = {
  'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/sum.js': 'export function sum(a, b) {\n  return a - b;\n}\n',
  'test/zero.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from '../src/sum.js';\n\ntest('zero', () => assert.equal(sum(0, 0), 0));\n",
};

export const brokenSum = {
  title: 'sum subtracts',
  body: 'Steps: call `sum(1, 2)` of `src/sum.js`. Expected: 3. Actual: -1. It is done when `sum(1, 2)` is 3.',
  labels: ['bug'],
};

const spoken = { questions: [], escalations: [], observations: [] };

export const triaged = (more: object = {}, call = 1): Call => ({
  ...{ role: 'pipeline-triage', call, request: { includes: ['BEGIN'] } },
  answer: {
    object: {
      ...{ scope: 'SMALL', complexity: 'simple', should_proceed: true, rejection_reason: null },
      ...{ concerns: [], questions: [], escalations: [] },
      ...more,
    },
  },
});

export const analysed = (more: object = {}, call = 1): Work => ({
  ...{ role: 'pipeline-analyst', call, request: { includes: ['BEGIN'] }, steps: [] },
  outcome: {
    text: '',
    object: {
      brief: 'In `src/sum.js`, `sum` subtracts. It has to add.',
      files: [{ path: 'src/sum.js', purpose: 'holds sum', action: 'modify' }],
      patterns: ['Tests use node:test.'],
      test_requirement: {
        ...{ required: true, type: 'regression', location: 'test/sum.test.js' },
        description: 'sum(1, 2) is 3',
      },
      must_do: ['sum(1, 2) is 3'],
      must_not_do: ['Do not change test/zero.test.js'],
      ...spoken,
      ...more,
    },
  },
});

export const fixed: Steps = [
  { write: 'src/sum.js', content: 'export function sum(a, b) {\n  return a + b;\n}\n' },
  {
    write: 'test/sum.test.js',
    content:
      "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sum } from '../src/sum.js';\n\ntest('adds', () => assert.equal(sum(1, 2), 3));\n",
  },
];

export const writerReport = (more: object = {}): object => ({
  summary: 'It adds now.',
  changes: [{ file: 'src/sum.js', description: 'adds instead of subtracting' }],
  test_file: 'test/sum.test.js',
  try_it: [],
  ...spoken,
  ...more,
});

export const written = (steps: Steps = fixed, more: object = {}, call = 1): Work => ({
  ...{ role: 'pipeline-writer', call, request: { includes: ['BEGIN'] }, steps },
  outcome: { text: '', object: writerReport(more) },
});

export const reviewed = (more: object = {}, call = 1): Call => ({
  ...{ role: 'pipeline-reviewer', call, request: { includes: ['BEGIN'] } },
  answer: {
    object: {
      ...{ verdict: 'APPROVED', good: ['Small.'], issues: [], feedback_for_writer: null },
      ...spoken,
      ...more,
    },
  },
});

export const answered = (answer: string, call = 1): Work => ({
  ...{ role: 'pipeline-answer', call, request: { includes: ['BEGIN'] }, steps: [] },
  outcome: { text: '', object: { answer } },
});

export const finding = (issue: string, more: object = {}) => ({
  ...{ file: 'src/sum.js', line: 2, severity: 'major', category: 'bug', issue, detail: '' },
  ...more,
});

export type Script = readonly (Call | Work)[];

const isCall = (one: Call | Work): one is Call => 'answer' in one;

export function pipelineCassette(script: Script) {
  const model = { name: 'claude-sonnet-4-5', title: 'Claude' };
  return {
    format: 'gatewright-cassette/1',
    about: 'A pipeline.',
    models: { coder: model, reviewer: model, writer: model },
    calls: script.filter(isCall),
    work: script.filter((one): one is Work => !isCall(one)),
  };
}

/** The settings with which a recorded model is every agent of the pipeline. */
export const modelsOf = (model: string): Readonly<Record<string, string>> => ({
  ...{ GATEWRIGHT_CODER: model, GATEWRIGHT_PLANNER: model },
  ...{ GATEWRIGHT_CODE_REVIEWER: model, GATEWRIGHT_WRITER: model },
});

export class PipelineWorld {
  readonly fleet: FleetWorld;
  readonly number: number;
  /** Options of a command that names the same models. */
  readonly models: readonly string[];

  private constructor(fleet: FleetWorld, number: number, cassette: string) {
    this.fleet = fleet;
    this.number = number;
    this.models = ['coder', 'planner', 'code-reviewer', 'writer'].flatMap((role) => [`--${role}`, cassette]);
  }

  static async open(
    script: Script,
    files: Readonly<Record<string, string>> = pipelineFiles,
    issue: typeof brokenSum = brokenSum,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<PipelineWorld> {
    const first = await FleetWorld.open(files);
    const cassette = `cassette:${first.cassette(pipelineCassette(script))}`;
    const fleet = await first.reopen({ ...modelsOf(cassette), ...environment });
    const { number } = await (await fleet.as('alice')).createIssue(fleet.repository, issue);
    return new PipelineWorld(fleet, number, cassette);
  }

  /** The same place, with another issue. */
  async another(issue: typeof brokenSum): Promise<PipelineWorld> {
    const { number } = await (await this.fleet.as('alice')).createIssue(this.fleet.repository, issue);
    return new PipelineWorld(this.fleet, number, this.models[1] ?? '');
  }

  get house(): House {
    return this.fleet.house;
  }

  /** Starts the pipeline, or resumes it, as a command does. */
  async go(
    answer: Answer = () => null,
    until?: StageName,
    house: House = this.house,
  ): Promise<PipelineOutcome> {
    const options: PipelineOptions = {
      ...{ own: this.fleet.own, person: 'alice', progress: () => undefined },
      ...(until === undefined ? {} : { until }),
      dialogue: {
        look: null,
        confirm: async () => false,
        decide: async (question: GateQuestion) => {
          const said = await answer(question);
          const shown = Object.fromEntries(question.artefacts.map(({ name, hash }) => [name, hash]));
          return said === null ? null : { ...said, shown };
        },
      },
    };
    const found = await findPipeline(house, this.number);
    return found === null
      ? startPipeline(house, { number: this.number }, options)
      : resumePipeline(house, found, options);
  }

  entries(): Promise<LedgerEntry[]> {
    return this.house.ledger.readSubject(`${this.fleet.repository}~pipeline-${this.number}`);
  }

  async entriesOf<K extends EntryKind>(kind: K): Promise<EntryOf<K>[]> {
    return (await this.entries()).filter((entry): entry is EntryOf<K> => entry.kind === kind);
  }

  /** The stages that ended, each with what came of it. */
  async stages(): Promise<string[]> {
    return (await this.entriesOf('stage-ended')).map(
      ({ data: { stage, outcome } }) => `${stage}: ${outcome}`,
    );
  }

  async state(): Promise<StateDocument> {
    const last = (await this.entriesOf('stage-ended')).at(-1);
    return JSON.parse(await this.house.ledger.getText(last?.data.document ?? '')) as StateDocument;
  }

  /** The calls of a stage that were answered, by their keys. */
  async callsOf(role: string): Promise<string[]> {
    return (await this.entriesOf('model-answered'))
      .filter(({ data }) => data.role === `pipeline-${role}`)
      .map(({ key }) => key?.split('/').at(-1) ?? '');
  }

  async promptsOf(role: string): Promise<string[]> {
    const texts: string[] = [];
    for (const { data } of await this.entriesOf('prompt-sent'))
      if (data.role === `pipeline-${role}`) texts.push(await this.house.ledger.getText(data.prompt));
    return texts;
  }

  /** A person comments, and the fleet hears it. */
  async say(body: string): Promise<void> {
    await (await this.fleet.as('alice')).createComment(this.fleet.repository, this.number, body);
    await this.fleet.catchUp();
  }

  async comments(): Promise<string[]> {
    const all = await (await this.fleet.as('alice')).listComments(this.fleet.repository, this.number);
    return all.map(({ body }) => body);
  }

  remove(): void {
    this.fleet.remove();
  }
}
