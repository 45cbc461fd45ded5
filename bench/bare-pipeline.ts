/**
 * The peer of the pipeline bench: the same six stages, written directly on LangGraph with its SQLite saver. The nodes ask
 * the same six questions with the same prompts and schemas, work in copies as often, run the same commands as often, write
 * the state document at each hand-over, and leave the same commit. What it lacks is the house around them: no ledger, no
 * effects with intent and receipt, no leases, no sandbox, no checks of what a stage may write, no search for weakened tests.
 *
 * Usage: node bare-pipeline.js CASSETTE DATABASE PROMPTS, from the root of a git repository.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';
import type { z } from 'zod';
import { openCassette } from '../src/adapters/cassette/cassette.ts';
import { describeAnalysis, describeIssue } from '../src/workflows/pipeline/rules/asking/describe-state.ts';
import {
  analystAnswerSchema,
  reviewerAnswerSchema,
  triageAnswerSchema,
  writerAnswerSchema,
} from '../src/workflows/pipeline/rules/asking/stage-answers.ts';
import { describeBuild } from '../src/workflows/pipeline/rules/build/describe-build.ts';
import { commitMessageOf } from '../src/workflows/pipeline/rules/comments/pull-request-text.ts';
import { initialState } from '../src/workflows/pipeline/rules/document/initial-state.ts';
import { type StateDocument, writeState } from '../src/workflows/pipeline/rules/document/state-document.ts';

const [cassetteFile = '', databaseFile = '', prompts = ''] = process.argv.slice(2);
const { cassette } = openCassette(cassetteFile, 'coder');
const copies = join(dirname(databaseFile), 'copies');
mkdirSync(copies, { recursive: true });

const database = new Database(databaseFile);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(
  'CREATE TABLE pulls (number INTEGER PRIMARY KEY, branch TEXT, head TEXT, title TEXT, body TEXT)',
);

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** A clean copy of a commit for some work. */
function inCopy<T>(name: string, commit: string, work: (folder: string) => T): T {
  const folder = join(copies, name);
  git('worktree', 'add', '--quiet', '--detach', folder, commit);
  try {
    return work(folder);
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}

/** Whole or not at all. */
function show(document: StateDocument): void {
  const handle = openSync('issue-state.json.new', 'w');
  writeSync(handle, writeState(document));
  fsyncSync(handle);
  closeSync(handle);
  renameSync('issue-state.json.new', 'issue-state.json');
}

function ask<T>(role: string, text: readonly string[], schema: z.ZodType<T>): T {
  const prompt = [
    readFileSync(join(prompts, `${role.replace('reviewer', 'review')}.md`), 'utf8'),
    ...text,
  ].join('\n\n');
  const call = cassette.calls.find((one) => one.role === role);
  const work = cassette.work?.find((one) => one.role === role);
  if (!prompt.includes('BEGIN')) throw new Error('Nothing is fenced.');
  const answer = call === undefined ? work?.outcome : call.answer;
  return schema.parse(answer !== undefined && 'object' in answer ? answer.object : null);
}

const Channels = Annotation.Root({
  document: Annotation<StateDocument>,
  base: Annotation<string>,
  commit: Annotation<string>,
  pull: Annotation<number>,
});
type State = typeof Channels.State;

function load(): Partial<State> {
  const { title, body, labels } = JSON.parse(readFileSync(join(dirname(databaseFile), 'issue.json'), 'utf8'));
  const document = initialState({
    issue: { number: 1, title, url: 'local://issues/1', body, labels },
    ...{ type: 'BUG_FIX', startedAt: new Date().toISOString(), maxAttempts: 3, branch: 'agent/issue-1' },
    sessionId: 'bench',
  });
  show(document);
  return { document, base: git('rev-parse', 'HEAD') };
}

function triage({ document }: State): Partial<State> {
  const {
    questions: _,
    escalations: __,
    ...found
  } = ask('pipeline-triage', [describeIssue(document)], triageAnswerSchema);
  return {
    document: {
      ...document,
      triage: { ...document.triage, completed: true, ...found } as StateDocument['triage'],
    },
  };
}

function analyse({ document, base }: State): Partial<State> {
  return inCopy('analyst', base, () => {
    const {
      questions: _,
      escalations: __,
      observations: ___,
      ...analysis
    } = ask('pipeline-analyst', [describeIssue(document)], analystAnswerSchema);
    return {
      document: { ...document, analysis: { ...analysis, completed: true } as StateDocument['analysis'] },
    };
  });
}

function write({ document, base }: State): Partial<State> {
  return inCopy('writer', base, (folder) => {
    const { changes, summary, test_file } = ask(
      'pipeline-writer',
      [describeIssue(document), describeAnalysis(document)],
      writerAnswerSchema,
    );
    for (const step of cassette.work?.find(({ role }) => role === 'pipeline-writer')?.steps ?? []) {
      if (!('write' in step)) continue;
      const path = join(folder, step.write);
      mkdirSync(dirname(path), { recursive: true });
      const handle = openSync(path, 'w');
      writeSync(handle, step.content);
      closeSync(handle);
    }
    git('-C', folder, 'add', '--all');
    const tree = git('-C', folder, 'write-tree');
    const commit = git('commit-tree', tree, '-p', base, '-m', 'wip');
    const writer = { ...document.writer, completed: true, changes, summary, test_file, test_written: true };
    return { commit, document: { ...document, writer } };
  });
}

/** The tests of the project, as a build runs them. */
function test(folder: string): { command: string; exit_code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('npm', ['test'], { cwd: folder, encoding: 'utf8' });
  return { command: 'npm test', exit_code: status, output: `${stdout}${stderr}`.slice(-4000) };
}

function build({ document, base, commit }: State): Partial<State> {
  const ran = inCopy('with', commit, test);
  const without = inCopy('without', base, (folder) => {
    git('-C', folder, 'checkout', '--quiet', commit, '--', document.writer.test_file ?? '');
    return test(folder);
  });
  if (ran.exit_code !== 0 || without.exit_code === 0) throw new Error('The build fails.');
  const built = { ...document.build, completed: true, tests_passed: true, commands_run: [ran] };
  return { document: { ...document, build: built } };
}

function review({ document, base, commit }: State): Partial<State> {
  const { verdict, good } = ask(
    'pipeline-reviewer',
    [describeIssue(document), describeAnalysis(document), describeBuild(document), git('diff', base, commit)],
    reviewerAnswerSchema,
  );
  const found = { ...document.review, completed: true, verdict, findings: { good, issues: [] } };
  return { document: { ...document, review: found } };
}

function commitChange({ document, base, commit }: State): Partial<State> {
  if (document.review.verdict !== 'APPROVED') throw new Error('It is not approved.');
  const message = commitMessageOf(document);
  const head = git('commit-tree', `${commit}^{tree}`, '-p', base, '-m', message);
  git('update-ref', `refs/heads/${document.commit.branch}`, head, '');
  const made = database
    .prepare('INSERT INTO pulls (branch, head, title, body) VALUES (?, ?, ?, ?)')
    .run(document.commit.branch, head, document.issue.title, message);
  return { pull: Number(made.lastInsertRowid) };
}

/** The document is shown when a stage begins and when it has ended. */
const stage =
  (name: NonNullable<StateDocument['pipeline']['current_agent']>, work: (state: State) => Partial<State>) =>
  (state: State): Partial<State> => {
    process.stderr.write(`${name}\n`);
    const document = { ...state.document, pipeline: { ...state.document.pipeline, current_agent: name } };
    show(document);
    const update = work({ ...state, document });
    if (update.document !== undefined) show(update.document);
    return update;
  };

const graph = new StateGraph(Channels)
  .addNode('load', load)
  .addNode('triage', stage('triage', triage))
  .addNode('analyst', stage('analyst', analyse))
  .addNode('writer', stage('writer', write))
  .addNode('build', stage('build', build))
  .addNode('reviewer', stage('reviewer', review))
  .addNode('committer', stage('committer', commitChange))
  .addEdge(START, 'load')
  .addEdge('load', 'triage')
  .addEdge('triage', 'analyst')
  .addEdge('analyst', 'writer')
  .addEdge('writer', 'build')
  .addEdge('build', 'reviewer')
  .addEdge('reviewer', 'committer')
  .addEdge('committer', END)
  .compile({ checkpointer: new SqliteSaver(database) });

const config = { configurable: { thread_id: `bare-${process.pid}` }, durability: 'sync' as const };
const { pull } = await graph.invoke({}, config);
rmSync('issue-state.json');
process.stdout.write(`pull request ${pull}\n`);
