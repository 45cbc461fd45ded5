/**
 * Everything that a test world holds, as data that can be compared with another world's: what is on the forge, in git and
 * on the ledger. What differs from world to world by nature (ids, commits, times) is blotted out.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LedgerEntry } from '../../src/domain/ledger/ledger-entry.ts';
import type { Forge } from '../../src/ports/forge/forge.ts';
import type { FleetRoom } from './fleet-room.ts';
import { openRecords } from './open-records.ts';
import type { Playground } from './playground.ts';

function blot(text: string): string {
  return text
    .replaceAll(/<!-- gatewright:effect [^>]*-->/gu, '<marker>')
    .replaceAll(/(?<=Gatewright-Effect: )\S+/gu, '<marker>')
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/giu, '<run>')
    .replaceAll(/\b[0-9a-f]{10,64}\b/gu, '<hex>')
    .replaceAll(/(?<=<hex>-)[0-9a-hjkmnp-tv-z]{6}\b/gu, '<run>')
    .replaceAll(/\S*\/gw-test-\w+/gu, '<folder>')
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/gu, '<port>')
    .replaceAll(/\d{4}-\d\d-\d\d(?:[T ]\d\d:[\d:.]+Z?)?/gu, '<time>')
    .replaceAll(/duration_ms \d[\d.]*/gu, 'duration_ms')
    .replaceAll(/\d[\d.]* ?(?:ms|s|seconds?|h|min)\b(?: \d+ min\b)?/gu, '<duration>');
}

async function readForge(forge: Forge, repository: string, main: string) {
  const issues = await forge.listIssues(repository, { state: 'all' });
  const pulls = await forge.listPullRequests(repository, { state: 'all' });
  const talk = async (number: number) =>
    (await forge.listComments(repository, number))
      .map(({ author, body }) => `${author}: ${blot(body)}`)
      .toSorted();
  return {
    labels: (await forge.listLabels(repository)).map(({ name }) => name).toSorted(),
    branches: (await forge.listBranches(repository)).map(({ name }) => blot(name)).toSorted(),
    commitComments: (await forge.listCommitComments(repository, main)).map(({ body }) => blot(body)),
    issues: await Promise.all(
      issues.map(async ({ number, title, body, state, labels }) => ({
        ...{ number, title: blot(title), body: blot(body), state },
        labels: labels.toSorted(),
        comments: await talk(number),
      })),
    ),
    pulls: await Promise.all(
      pulls.map(async ({ number, title, body, state, labels, head }) => ({
        ...{ number, title: blot(title), body: blot(body), state, branch: blot(head.branch) },
        labels: labels.toSorted(),
        comments: await talk(number),
        reviews: (await forge.listReviews(repository, number)).map(({ body: text }) => blot(text)),
        remarks: (await forge.listReviewComments(repository, number)).map(({ path, body: text }) => ({
          path,
          text: blot(text),
        })),
      })),
    ),
  };
}

/**
 * The roles in which a model was asked again although its answer was on the ledger. An agent asks in each role once; a
 * workflow asks in one role again and again, each time with other words.
 */
function listPaidTwice(entries: readonly LedgerEntry[], isAgent: boolean): string[] {
  const asked = new Map<string, string>();
  const answered = new Set<string>();
  return entries.flatMap((entry) => {
    if (entry.kind === 'model-answered') answered.add(asked.get(entry.data.role) ?? '');
    if (entry.kind !== 'prompt-sent') return [];
    const { role, prompt } = entry.data;
    const call = isAgent ? role : prompt;
    asked.set(role, call);
    return answered.has(call) ? [role] : [];
  });
}

/** Every run with what it did, as one list for each agent: which of two runs did it may be chance. */
async function readLedger({ ledger, views }: ReturnType<typeof openRecords>) {
  const runs: string[] = [];
  const deeds: string[] = [];
  /** Whoever is killed while a model answers has to ask it again; whoever has its answer on the ledger never does. */
  const paidTwice: string[] = [];
  for (const { id, subject, status, request } of await views.listRuns()) {
    const agent = request.workflow === 'agent' ? request.agent : request.workflow;
    const who = blot(`${agent} ${subject}`);
    runs.push(`${who} ${status}`);
    const entries = await ledger.readRun(id);
    paidTwice.push(...listPaidTwice(entries, request.workflow === 'agent').map((role) => `${who} ${role}`));
    for (const entry of entries) {
      const what = blot((entry.key ?? '').slice(id.length + 1));
      if (entry.kind === 'effect-receipted') deeds.push(`${who} ${entry.kind} ${what}`);
      if (entry.kind === 'effect-failed') deeds.push(`${who} ${entry.kind} ${what} ${entry.data.code}`);
      if (entry.kind === 'model-answered') deeds.push(`${who} ${entry.kind} ${what}`);
      if (entry.kind === 'command-verified') deeds.push(`${who} ${entry.kind} ${entry.data.exitCode}`);
    }
  }
  const { problems } = await ledger.verify();
  const open = (await views.listOpenEvents()).map(({ delivery }) => delivery);
  return { runs: runs.toSorted(), deeds: deeds.toSorted(), paidTwice, problems, open };
}

function readGit({ playground, git }: Looked) {
  const folder = join(dirname(playground.database), 'workspaces');
  return {
    log: blot(git('log', '--format=%s%n%b', 'main').trim()),
    files: git('ls-tree', '-r', '--name-only', 'main').trim().split('\n'),
    refs: blot(playground.git('for-each-ref', '--format=%(refname)')).split('\n').toSorted(),
    status: playground.git('status', '--porcelain'),
    worktrees: playground.git('worktree', 'list').split('\n').length,
    workspaces: existsSync(folder) ? readdirSync(folder) : [],
  };
}

export type WorldState = Awaited<ReturnType<typeof readWorld>>;

/** What of a world is looked at: the forge, the git behind it, and the machine. */
interface Looked {
  readonly playground: Pick<Playground, 'database' | 'git'>;
  readonly repository: string;
  readonly forge: Forge;
  readonly git: (...args: string[]) => string;
}

export async function readWorld(looked: Looked) {
  const records = openRecords(looked.playground);
  const ledger = await readLedger(records);
  records.close();
  const main = looked.git('rev-parse', 'main').trim();
  const forge = await readForge(looked.forge, looked.repository, main);
  return { forge, ledger, git: readGit(looked) };
}

export async function lookAround(world: FleetRoom): Promise<WorldState> {
  const { playground, repository } = world;
  return readWorld({
    ...{ playground, repository, forge: await world.look() },
    git: (...args) => world.git(...args),
  });
}
