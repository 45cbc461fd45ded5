/** A loop on the local forge in this process: real git, real SQLite, real test runs, an agent that edits real files. */
import type { LocalForge } from '../../src/adapters/local-forge/local-forge.ts';
import type { GateQuestion } from '../../src/domain/drafts/gate.ts';
import type { EntryKind, EntryOf, LedgerEntry } from '../../src/domain/ledger/ledger-entry.ts';
import type { House } from '../../src/runs/house.ts';
import {
  findLoop,
  type LoopOptions,
  type LoopOutcome,
  resumeLoop,
  startLoop,
} from '../../src/workflows/loop/drive-loop.ts';
import { FleetWorld } from './fleet-world.ts';
import { loopFiles, type Work } from './loop-cassette.ts';

export interface Said {
  readonly choice: string;
  readonly feedback?: string;
}

/** What Alice answers at her terminal; null leaves the gate open. */
export type Answer = (question: GateQuestion) => Said | null | Promise<Said | null>;

/** One answer for each kind of gate; gates of other kinds are left open. */
export const saying =
  (answers: Partial<Record<GateQuestion['kind'], string | Said>>): Answer =>
  ({ kind }) => {
    const answer = answers[kind];
    return typeof answer === 'string' ? { choice: answer } : (answer ?? null);
  };

/** Answers the first question, and leaves the next one open. */
export function sayingOnce(answers: Parameters<typeof saying>[0]): Answer {
  let isUsed = false;
  return (question) => {
    if (isUsed) return null;
    isUsed = true;
    return saying(answers)(question);
  };
}

const nothing: Answer = () => null;

/** A pull request is fine, whatever it holds. */
export const cleanReview = {
  ...{ role: 'reviewer', call: 1, request: { includes: ['BEGIN'] } },
  answer: { object: { summary: 'Fine.', findings: [] } },
};

export class LoopWorld {
  readonly fleet: FleetWorld;
  readonly number: number;
  readonly branch: string;

  private constructor(fleet: FleetWorld, number: number) {
    this.fleet = fleet;
    this.number = number;
    this.branch = `ai/issue-${number}-more-operations`;
  }

  static async open(
    work: readonly Work[],
    files: Readonly<Record<string, string>> = loopFiles,
  ): Promise<LoopWorld> {
    const first = await FleetWorld.open(files);
    const cassette = `cassette:${first.cassette({
      format: 'gatewright-cassette/1',
      about: 'A loop.',
      models: {
        coder: { name: 'claude-sonnet-4-5', title: 'Claude' },
        reviewer: { name: 'claude-sonnet-4-5', title: 'Claude' },
      },
      ...{ work, calls: [cleanReview] },
    })}`;
    const fleet = await first.reopen({
      ...{ GATEWRIGHT_CODER: cassette, GATEWRIGHT_PLANNER: cassette },
      GATEWRIGHT_CODE_REVIEWER: cassette,
    });
    const { number } = await (await fleet.as('alice')).createIssue(fleet.repository, {
      title: 'More operations',
      body: 'Add `difference` in src/, because people subtract by hand. Done when `node --test` passes.',
      labels: [],
    });
    return new LoopWorld(fleet, number);
  }

  get house(): House {
    return this.fleet.house;
  }

  get repository(): string {
    return this.fleet.repository;
  }

  /** Starts the loop, or resumes it, as a command does. */
  async go(answer: Answer = nothing, house: House = this.house): Promise<LoopOutcome> {
    const options: LoopOptions = {
      ...{ own: this.fleet.own, person: 'alice', progress: () => undefined },
      dialogue: {
        look: null,
        confirm: async () => false,
        decide: async (question) => {
          const said = await answer(question);
          const shown = Object.fromEntries(question.artefacts.map(({ name, hash }) => [name, hash]));
          return said === null ? null : { ...said, shown };
        },
      },
    };
    const found = await findLoop(house, this.number);
    return found === null
      ? startLoop(house, { number: this.number, isQuick: true }, options)
      : resumeLoop(house, found, options);
  }

  alice(): Promise<LocalForge> {
    return this.fleet.as('alice');
  }

  /** A person sets a label, on the issue of the loop unless told otherwise. */
  async label(name: string, { number = this.number, person = 'alice' } = {}): Promise<void> {
    await (await this.alice()).ensureLabel(this.repository, { name, colour: 'ededed', description: '' });
    await (await this.fleet.as(person)).editIssue(this.repository, number, { addLabels: [name] });
  }

  async say(body: string, person = 'alice'): Promise<void> {
    await (await this.fleet.as(person)).createComment(this.repository, this.number, body);
  }

  /** A commit that a person pushes to the branch; null removes a file. */
  push(files: Readonly<Record<string, string>>, message = 'By hand'): string {
    const { playground } = this.fleet;
    this.git('switch', '--quiet', this.branch);
    playground.commit(files, message);
    const head = this.git('rev-parse', 'HEAD');
    this.git('switch', '--quiet', 'main');
    return head;
  }

  git(...args: string[]): string {
    return this.fleet.git(...args);
  }

  file(path: string): string {
    return this.fleet.fileAt(this.branch, path);
  }

  /** On the branch, oldest first. */
  subjects(): string[] {
    return this.git('log', '--format=%s', '--reverse', `main..${this.branch}`).split('\n');
  }

  prd() {
    return JSON.parse(this.file('prd.json')) as {
      userStories: { id: string; passes: boolean; attempts: number; verifyCommands: string[] }[];
      globalVerifyCommands: string[];
      debugState?: { status: string; debugAttempts: number; debugHistory: object[] };
    };
  }

  async comments(): Promise<string[]> {
    const all = await (await this.alice()).listComments(this.repository, this.number);
    return all.map(({ body }) => body);
  }

  async labels(): Promise<readonly string[]> {
    return (await (await this.alice()).getIssue(this.repository, this.number)).labels;
  }

  entries(): Promise<LedgerEntry[]> {
    return this.house.ledger.readSubject(`${this.repository}~loop-${this.number}`);
  }

  async entriesOf<K extends EntryKind>(kind: K): Promise<EntryOf<K>[]> {
    return (await this.entries()).filter((entry): entry is EntryOf<K> => entry.kind === kind);
  }

  remove(): void {
    this.fleet.remove();
  }
}
