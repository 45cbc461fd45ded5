/**
 * The peer of the whole-run bench: the same seven nodes, written directly on LangGraph with its SQLite saver. The nodes
 * do the same work with the same rules (brief, preflight, template and prompts, preamble, mechanical checks, schema and
 * verdict file, title and labels, moves, one commit). What it lacks is the house around them: no ledger, no effects with
 * intent and receipt, no gate records, no leases, no command line. What a run costs beyond this is what those cost.
 *
 * Usage: node bare-langgraph.js BRIEF CASSETTE DATABASE, from the root of a git repository.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Annotation, Command, END, interrupt, isInterrupted, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import Database from 'better-sqlite3';
import { openCassette } from '../src/adapters/cassette/cassette.ts';
import { readLabels, readTitle, stripPreamble } from '../src/domain/drafts/issue-draft.ts';
import { checkIssueDraft } from '../src/domain/drafts/mechanical-checks.ts';
import { renderVerdict, type Verdict, verdictSchema } from '../src/domain/drafts/verdict.ts';
import { fenceUntrusted } from '../src/domain/text/fence-untrusted.ts';

const [brief = '', cassetteFile = '', databaseFile = ''] = process.argv.slice(2);
const { cassette } = openCassette(cassetteFile, 'drafter');
const packageRoot = dirname(dirname(cassetteFile));
const slug = basename(brief, '.md');
const active = join('docs/lineage/active', slug);
const thread = `bare-${process.pid}`;
const worktree = join(dirname(databaseFile), 'worktrees', thread);

const database = new Database(databaseFile);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(
  `CREATE TABLE IF NOT EXISTS issues (number INTEGER PRIMARY KEY, title TEXT, body TEXT, labels TEXT);
   CREATE TABLE IF NOT EXISTS labels (name TEXT PRIMARY KEY)`,
);

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function git(...args: string[]): void {
  execFileSync('git', args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

function promptText(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}

/** The model answers at once, to the request that it was given. */
function answerOf(
  role: string,
  call: number,
  prompt: string,
): ReturnType<typeof openCassette>['cassette']['calls'][number]['answer'] {
  const found = cassette.calls.find((one) => one.role === role && one.call === call);
  if (found === undefined || !(found.request.includes ?? []).every((part) => prompt.includes(part))) {
    throw new Error('The cassette has no such answer.');
  }
  return found.answer;
}

/** The next numbered file, on disk before anything builds on it. */
function save(number: number, suffix: string, content: string): string {
  const path = join(active, `${String(number).padStart(3, '0')}-${suffix}`);
  mkdirSync(active, { recursive: true });
  const handle = openSync(path, 'wx');
  writeSync(handle, content);
  fsyncSync(handle);
  closeSync(handle);
  say(`saved to: ${path}`);
  return path;
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

const Channels = Annotation.Root({
  files: Annotation<number>,
  drafts: Annotation<number>,
  verdicts: Annotation<number>,
  draft: Annotation<string>,
  verdict: Annotation<string>,
  verdictHistory: Annotation<string[]>,
  decision: Annotation<Verdict['decision']>,
  route: Annotation<string>,
  issue: Annotation<number>,
});
type State = typeof Channels.State;
type Update = Partial<State>;

function loadBrief(state: State): Update {
  save(state.files + 1, 'brief.md', readFileSync(brief, 'utf8'));
  return { files: state.files + 1 };
}

function prepareSandbox(): Update {
  git('rev-parse', '--quiet', '--verify', 'HEAD');
  git('var', 'GIT_COMMITTER_IDENT');
  git('var', 'GIT_AUTHOR_IDENT');
  const ignored = spawnSync('git', ['check-ignore', '--no-index', '--', join(active, '001-brief.md')]);
  if (ignored.status === 0) throw new Error('The lineage is ignored by git.');
  mkdirSync(dirname(worktree), { recursive: true });
  git('worktree', 'add', '--quiet', '--detach', '--no-checkout', worktree);
  return {};
}

function writeDraft(state: State): Update {
  const prompt = [
    promptText('prompts/draft-issue.md'),
    fenceUntrusted('TEMPLATE', promptText('templates/0101-issue.md')),
    fenceUntrusted('BRIEF', readFileSync(brief, 'utf8')),
    ...state.verdictHistory.map((text) => fenceUntrusted('REVIEW', text)),
  ].join('\n\n');
  const answer = answerOf('drafter', state.drafts + 1, prompt);
  const draft = stripPreamble('text' in answer ? answer.text : '');
  save(state.files + 1, 'draft.md', draft);
  return { files: state.files + 1, drafts: state.drafts + 1, draft };
}

function askAboutDraft(state: State): Update {
  const { choice } = interrupt({ draft: state.draft }) as { choice: string };
  return { route: choice };
}

function reviewDraft(state: State): Update {
  if (checkIssueDraft(state.draft).some((finding) => finding.tier === 'blocking'))
    throw new Error('The draft is blocked.');
  const prompt = [promptText('prompts/0701c-issue-review.md'), fenceUntrusted('DRAFT', state.draft)].join(
    '\n\n',
  );
  const answer = answerOf('reviewer', state.verdicts + 1, prompt);
  const object = verdictSchema.parse('object' in answer ? answer.object : null);
  const verdict = renderVerdict(object, { reviewer: 'gemini', prompt: '0701c', review: state.verdicts + 1 });
  save(state.files + 1, 'verdict.md', verdict);
  say(verdict);
  return {
    files: state.files + 1,
    verdicts: state.verdicts + 1,
    verdict,
    verdictHistory: [...state.verdictHistory, verdict],
    decision: object.decision,
  };
}

function askAboutVerdict(state: State): Update {
  const { choice } = interrupt({ verdict: state.verdict, decision: state.decision }) as { choice: string };
  return { route: choice };
}

function fileIssue(state: State): Update {
  const title = readTitle(state.draft);
  const labels = readLabels(state.draft);
  for (const label of labels) database.prepare('INSERT OR IGNORE INTO labels (name) VALUES (?)').run(label);
  const issue = Number(
    database
      .prepare('INSERT INTO issues (title, body, labels) VALUES (?, ?, ?)')
      .run(title, state.draft, labels.join(',')).lastInsertRowid,
  );
  const record = {
    issue_number: issue,
    issue_url: `local://issues/${issue}`,
    title,
    filed_at: new Date().toISOString(),
    brief_file: brief,
    draft_count: state.drafts,
    verdict_count: state.verdicts,
  };
  save(state.files + 1, 'filed.json', `${JSON.stringify(record, null, 2)}\n`);
  const done = join('docs/lineage/done', `${issue}-${slug}`);
  const idea = join('ideas/done', `${issue}-${slug}.md`);
  move(active, done);
  move(brief, idea);
  git('add', '--all', '--', done, brief, idea);
  git(
    ...['commit', '--quiet', '--no-verify', '--message'],
    `docs(lineage): keep the audit trail of #${issue}`,
  );
  git('worktree', 'remove', '--force', worktree);
  return { files: state.files + 1, issue };
}

const announced =
  (name: string, work: (state: State) => Update) =>
  (state: State): Update => {
    say(`>>> Executing: ${name}`);
    return work(state);
  };

const graph = new StateGraph(Channels)
  .addNode('N0_load_brief', announced('N0_load_brief', loadBrief))
  .addNode('N1_sandbox', announced('N1_sandbox', prepareSandbox))
  .addNode('N2_draft', announced('N2_draft', writeDraft))
  .addNode('N3_human_edit_draft', askAboutDraft)
  .addNode('N4_review', announced('N4_review', reviewDraft))
  .addNode('N5_human_edit_verdict', askAboutVerdict)
  .addNode('N6_file', announced('N6_file', fileIssue))
  .addEdge(START, 'N0_load_brief')
  .addEdge('N0_load_brief', 'N1_sandbox')
  .addEdge('N1_sandbox', 'N2_draft')
  .addEdge('N2_draft', 'N3_human_edit_draft')
  .addConditionalEdges(
    'N3_human_edit_draft',
    (state) => (state.route === 'send' ? 'N4_review' : 'N2_draft'),
    ['N4_review', 'N2_draft'],
  )
  .addEdge('N4_review', 'N5_human_edit_verdict')
  .addConditionalEdges(
    'N5_human_edit_verdict',
    (state) => (state.route === 'approve' ? 'N6_file' : 'N2_draft'),
    ['N6_file', 'N2_draft'],
  )
  .addEdge('N6_file', END)
  .compile({ checkpointer: new SqliteSaver(database) });

const config = { configurable: { thread_id: thread }, durability: 'sync' as const };
let state = await graph.invoke({ files: 0, drafts: 0, verdicts: 0, verdictHistory: [] }, config);
while (isInterrupted<{ decision?: Verdict['decision'] }>(state)) {
  const { decision } = state.__interrupt__[0]?.value ?? {};
  const choice = decision === undefined ? 'send' : decision === 'APPROVED' ? 'approve' : 'revise';
  state = await graph.invoke(new Command({ resume: { choice } }), config);
}
process.stdout.write(`local://issues/${state.issue}\n`);
