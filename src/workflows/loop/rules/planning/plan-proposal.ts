/**
 * What the planner may return, and the prd.json that is made of it. The planner is a model: its answer is checked here,
 * and a person approves the commands and hosts in it, bound by their hash.
 */
import { z } from 'zod';
import { isPlainPath } from '../../../../domain/changes/plain-path.ts';
import { canonicalJson, type Sha256, sha256 } from '../../../../domain/ledger/hash.ts';
import { hasUnsafeCharacters } from '../../../../domain/text/untrusted-text.ts';
import type { Prd } from '../document/prd.ts';
import { commandForm, formulas } from '../document/prd-schema.ts';
import { makePrd } from '../document/write-prd.ts';
import type { LoopConfig } from './loop-config.ts';

const mostTasks = 50;

/** Visible characters only: a person reads the plan before it is approved. */
const visible = (longest: number): z.ZodString =>
  z
    .string()
    .max(longest)
    .regex(/\S/u, 'has to say something')
    .refine((text) => !hasUnsafeCharacters(text), 'holds characters that cannot be seen');
const line = (longest: number): z.ZodString =>
  visible(longest).refine((text) => !/[\n\t]/u.test(text), 'has to be one line');

const file = line(300).refine(
  (path) => isPlainPath(path.replace(/\/$/u, '')),
  'has to be a path from the root of the repository',
);

/** A name and, if need be, a port; no pattern, no address of a page, and no number that could mean another machine. */
const host = z
  .string()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?::[1-9]\d{0,4})?$/u,
    'has to be the name of a host, such as api.example.com',
  );

const task = z.strictObject({
  title: line(200),
  description: visible(4000),
  files: z.array(file).max(50),
  acceptanceCriteria: z.array(line(500)).min(1).max(30),
  verifyCommands: z.array(commandForm).min(1).max(20),
  dependsOn: z
    .array(z.int().min(1).max(mostTasks))
    .max(mostTasks)
    .describe('The places of tasks in this list, from 1, that have to pass before'),
  priority: z
    .int()
    .min(1)
    .max(998)
    .optional()
    .describe('Lower comes first; the place in the list if left out'),
});

function findWrongPlaces(
  tasks: readonly z.output<typeof task>[],
  add: (path: PropertyKey[], text: string) => void,
): void {
  tasks.forEach(({ dependsOn }, index) => {
    dependsOn.forEach((place, at) => {
      const path = ['tasks', index, 'dependsOn', at];
      if (place > tasks.length) add(path, `there is no task ${place}`);
      else if (place === index + 1) add(path, 'a task cannot depend on itself');
    });
  });
  // Tasks whose dependencies are all done are done, again and again; what is left is in a circle or behind one.
  const done = new Set<number>();
  for (let before = -1; before < done.size; ) {
    before = done.size;
    tasks.forEach(({ dependsOn }, index) => {
      if (
        dependsOn.every(
          (place) => place < 1 || place > tasks.length || place === index + 1 || done.has(place),
        )
      )
        done.add(index + 1);
    });
  }
  tasks.forEach((_, index) => {
    if (!done.has(index + 1)) add(['tasks', index, 'dependsOn'], 'leads into a circle');
  });
}

/** What the planner returns. Strict: a field that is not known here is refused. */
export const planProposalSchema = z
  .strictObject({
    summary: visible(4000),
    approach: visible(20_000),
    risks: z.array(visible(2000)).max(20),
    formula: z.enum(formulas),
    tasks: z.array(task).min(1).max(mostTasks),
    networkHosts: z
      .array(host)
      .max(20)
      .describe('Hosts that the verify commands have to reach; usually none'),
    globalVerifyCommands: z.array(commandForm).max(20),
  })
  .superRefine(({ tasks }, context) => {
    findWrongPlaces(tasks, (path, message) => context.addIssue({ code: 'custom', path, message }));
  });

export type PlanProposal = z.output<typeof planProposalSchema>;

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** The title of an issue as the name of a project: one line that a commit message can hold. */
function projectOf(title: string): string {
  const plain = title.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\s]+/gu, ' ').trim();
  return [...(plain === '' ? 'issue' : plain)].slice(0, 120).join('');
}

/** The text of prd.json for a plan. */
export function prdFromProposal(input: {
  readonly issue: { readonly number: number; readonly title: string };
  readonly proposal: PlanProposal;
  readonly branchName: string;
  readonly generatedAt: string;
  readonly config: Pick<LoopConfig, 'summaryEveryNTaskLogs'>;
}): string {
  const { issue, proposal } = input;
  return makePrd({
    project: projectOf(issue.title),
    issueNumber: issue.number,
    branchName: input.branchName,
    description: proposal.summary,
    generatedAt: input.generatedAt,
    formula: proposal.formula,
    summaryEveryNTaskLogs: input.config.summaryEveryNTaskLogs,
    userStories: proposal.tasks.map((one, index) => ({
      title: one.title.trim(),
      description: one.description,
      files: unique(one.files),
      dependsOn: unique(one.dependsOn),
      priority: one.priority ?? index + 1,
      acceptanceCriteria: one.acceptanceCriteria,
      verifyCommands: unique(one.verifyCommands),
    })),
    globalVerifyCommands: unique(proposal.globalVerifyCommands),
  });
}

/** All commands of a task list, each once, in an order that does not depend on that of the tasks. */
export function verifyCommandsOf(prd: Pick<Prd, 'userStories' | 'globalVerifyCommands'>): string[] {
  const commands = [
    ...prd.userStories.flatMap(({ verifyCommands }) => verifyCommands),
    ...prd.globalVerifyCommands,
  ];
  return unique(commands).sort();
}

/** What an approval is bound to: these commands and hosts, byte for byte, and no others. */
export function hashApproved(approved: {
  readonly commands: readonly string[];
  readonly hosts: readonly string[];
}): Sha256 {
  const commands = unique(approved.commands).sort();
  const hosts = unique(approved.hosts).sort();
  return sha256(canonicalJson({ commands, hosts }));
}
