/** A graph of no workflow of ours is driven as theirs are: real LangGraph, real checkpoints, real ledger. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { END, START, StateGraph } from '@langchain/langgraph';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type SqliteDatabase } from '../../adapters/sqlite/database.ts';
import { SqliteCheckpoints } from '../../adapters/sqlite/sqlite-checkpoints.ts';
import { SqliteLeases } from '../../adapters/sqlite/sqlite-leases.ts';
import { SqliteLedger } from '../../adapters/sqlite/sqlite-ledger.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import type { GateAnswer, GateQuestion } from '../../domain/drafts/gate.ts';
import { makeGateId } from '../../domain/ledger/ids.ts';
import type { NewEntry } from '../../domain/ledger/ledger-entry.ts';
import type { AgentRequest } from '../../domain/ledger/run.ts';
import { GatewrightError } from '../../errors.ts';
import { acquireLease } from '../acquire-lease.ts';
import { LeftOpen } from '../gates/resolve-gate.ts';
import { driveGraph, type GateStop } from './drive-graph.ts';
import { GraphRun, makeChannels, makeNodes } from './graph-run.ts';

interface CounterState {
  readonly step: number;
  readonly sum: number;
  readonly isOver: boolean;
}

const initial: CounterState = { step: 0, sum: 0, isOver: false };
const subject = 'local/project#7';
const request: AgentRequest = {
  workflow: 'agent',
  agent: 'reviewer',
  title: 'a count',
  repository: 'local/project',
  root: '/project',
  delivery: 'd',
  number: 7,
  dryRun: false,
};

let folder = '';
let database: SqliteDatabase;
let ledger: SqliteLedger;
let nodes: string[] = [];
/** How often the node after the gate fails before it works. */
let failures = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-graph-'));
  database = openDatabase(join(folder, 'gatewright.db'));
  ledger = new SqliteLedger(database, systemClock, 'key');
  [nodes, failures] = [[], 0];
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (_: unknown, { step }: CounterState): GateQuestion => ({
  id: makeGateId('R1', step),
  kind: 'draft',
  title: 'how many?',
  iteration: 1,
  drafts: 0,
  verdicts: 0,
  artefacts: [],
  choices: [],
});

/** Adds one, asks how many more, and adds those. */
function openCounter() {
  const context = {
    ...{ runId: 'R1', subject, actor: 'alice', progress: () => undefined },
    note: ({ data }: NewEntry) => void nodes.push((data as { node: string }).node),
  };
  const { work, gate } = makeNodes<typeof context, CounterState>(context);
  const add = async (_: unknown, state: CounterState) => ({ sum: state.sum + 1 });
  const finish = async () => {
    failures -= 1;
    if (failures >= 0) throw new GatewrightError('forge-not-found', 'not now');
    return { isOver: true };
  };
  const apply = ({ sum }: CounterState, { choice }: GateAnswer) => ({ sum: sum + Number(choice) });
  const graph = new StateGraph(makeChannels(initial))
    .addNode('add', work('add', add))
    .addNode('ask', gate(ask, apply))
    .addNode('finish', work('finish', finish))
    .addEdge(START, 'add')
    .addEdge('add', 'ask')
    .addEdge('ask', 'finish')
    .addEdge('finish', END)
    .compile({ checkpointer: new SqliteCheckpoints(database, () => ledger.keepTexts()) });
  return new GraphRun({ graph, runId: 'R1', initial, isDone: ({ isOver }) => isOver });
}

const explainLeftOpen = ({ question }: LeftOpen, resume: string): GateStop => ({
  status: 'waiting',
  reason: { code: 'gate', message: 'a number is missing', owner: 'person', resume },
  gate: question,
  failure: null,
});

async function drive(resolve: (question: GateQuestion) => Promise<GateAnswer>) {
  const lease = await acquireLease({ leases: new SqliteLeases(database, systemClock, 'alice') }, subject);
  try {
    return await driveGraph(
      { ledger, actor: 'alice', commandSuffix: '' },
      {
        run: { id: 'R1', subject, request },
        progress: () => undefined,
        open: async () => ({ graph: openCounter(), resolve }),
        conclude: ({ sum }: CounterState) => ({ message: `counted ${sum}`, result: null }),
        explainLeftOpen,
        tape: null,
      },
      lease,
    );
  } finally {
    await lease.release();
  }
}

const answer = async (): Promise<GateAnswer> => ({ choice: '4', seen: {}, by: 'person' });
const kinds = async () => (await ledger.readRun('R1')).map(({ kind }) => kind);

describe('a graph with a state of its own', () => {
  it('goes from gate to gate to its end, which is on the ledger', async () => {
    expect(await drive(answer)).toMatchObject({ status: 'done', reason: { message: 'counted 5' } });
    expect(nodes).toEqual(['add', 'finish']);
    expect(await kinds()).toEqual(['run-ended']);
  });

  it('waits at a gate that is left open, and goes on from there in another process', async () => {
    const outcome = await drive(async (question) => {
      throw new LeftOpen(question, null);
    });
    expect(outcome).toMatchObject({ status: 'waiting', gate: { title: 'how many?' } });
    expect(outcome.reason.resume).toBe('gatewright dispatch --resume R1');
    expect(await drive(answer)).toMatchObject({ status: 'done' });
    expect(nodes).toEqual(['add', 'finish']);
    expect(await kinds()).toEqual(['run-stopped', 'run-ended']);
  });

  it('stops with a reason at a node that fails, and does not repeat what was done before it', async () => {
    failures = 1;
    await expect(drive(answer)).rejects.toMatchObject({ code: 'forge-not-found', stop: { run: 'R1' } });
    expect(await drive(answer)).toMatchObject({ status: 'done', reason: { message: 'counted 5' } });
    expect(nodes).toEqual(['add', 'finish', 'finish']);
  });
});
