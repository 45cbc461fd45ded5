/** What the state names by its hash, read back from the ledger. */
import { GatewrightError } from '../../../errors.ts';
import type { LoopContext } from '../loop-context.ts';
import { type CommentKind, choosePrefixes } from '../rules/comments/prefixes.ts';
import { type Prd, readPrd } from '../rules/document/prd.ts';
import { loopConfigPath } from '../rules/paths.ts';
import { type LoopConfig, readLoopConfig } from '../rules/planning/loop-config.ts';
import type { PlanProposal } from '../rules/planning/plan-proposal.ts';
import type { LoopState } from '../state.ts';

export interface LoadedIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly labels: readonly string[];
}

/** The commands that may be run, and the hosts that they may reach. */
export interface Grants {
  readonly commands: readonly string[];
  readonly hosts: readonly string[];
}

function describeProblems(
  problems: readonly { readonly path: string; readonly message: string }[],
): string[] {
  return problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
}

export function parseConfig(text: string | null): LoopConfig {
  const read = readLoopConfig(text);
  if ('config' in read) return read.config;
  throw new GatewrightError('loop-config-invalid', `${loopConfigPath} has errors.`, {
    details: describeProblems(read.problems),
  });
}

/** What the file says without effect, for the person who wrote it. A file with errors is refused. */
export function listConfigWarnings(text: string | null): string[] {
  const { commentPrefixes } = parseConfig(text);
  const read = readLoopConfig(text);
  const chosen = choosePrefixes(commentPrefixes);
  const unused = Object.entries(commentPrefixes).filter(
    ([kind, wanted]) => Object.hasOwn(chosen, kind) && chosen[kind as CommentKind] !== wanted?.trimEnd(),
  );
  return describeProblems([
    ...('warnings' in read ? read.warnings : []),
    ...unused.map(([kind]) => ({
      path: `commentPrefixes.${kind}`,
      message: 'is no plain heading, or could be taken for another one, and has no effect',
    })),
  ]).map((line) => `${loopConfigPath}: ${line}`);
}

export function parsePrd(text: string): Prd {
  const read = readPrd(text);
  if ('prd' in read) return read.prd;
  throw new GatewrightError('prd-invalid', 'prd.json has errors.', {
    details: describeProblems(read.problems),
  });
}

function missing(what: string): never {
  throw new GatewrightError('internal', `The loop has no ${what} yet.`);
}

type Reading = Pick<LoopContext, 'ledger'>;

export async function readConfig({ ledger }: Reading, { config }: LoopState): Promise<LoopConfig> {
  return parseConfig(config === null ? null : await ledger.getText(config));
}

export async function readIssue({ ledger }: Reading, { issue }: LoopState): Promise<LoadedIssue> {
  return JSON.parse(await ledger.getText(issue ?? missing('issue'))) as LoadedIssue;
}

export async function readProposal({ ledger }: Reading, { proposal }: LoopState): Promise<PlanProposal> {
  return JSON.parse(await ledger.getText(proposal ?? missing('plan'))) as PlanProposal;
}

export async function readGrants({ ledger }: Reading, { grants }: LoopState): Promise<Grants> {
  return JSON.parse(await ledger.getText(grants ?? missing('approved plan'))) as Grants;
}

export async function readPrdText({ ledger }: Reading, { prd }: LoopState): Promise<string> {
  return ledger.getText(prd ?? missing('prd.json'));
}

/** Where the branch is. */
export function headOf({ head }: LoopState): string {
  return head ?? missing('branch');
}

export function baseOf({ base }: LoopState): NonNullable<LoopState['base']> {
  return base ?? missing('base');
}

/** Tasks that passed by the word of a person, and by no command. */
export async function listByWord({
  ledger,
  runId,
}: Pick<LoopContext, 'ledger' | 'runId'>): Promise<ReadonlySet<string>> {
  const tasks = new Set<string>();
  for (const entry of await ledger.readRun(runId)) {
    if (entry.kind === 'task-skipped') tasks.add(entry.data.task);
    if (entry.kind === 'task-judged' && entry.data.passed) tasks.delete(entry.data.task);
  }
  return tasks;
}
