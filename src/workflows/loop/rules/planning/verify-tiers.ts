/**
 * Which commands are run when. The fast tier is run after each attempt; the full one every few passed tasks and before a
 * person tests. Commands of the configuration are run only if the approved plan showed them.
 */
import type { Prd } from '../document/prd.ts';
import type { LoopConfig } from './loop-config.ts';
import { verifyCommandsOf } from './plan-proposal.ts';

type Verify = LoopConfig['execution']['verify'];
type Configured = { readonly execution: { readonly verify: Verify } };

const unique = (lines: readonly string[]): string[] => [...new Set(lines)];

/** The commands that the configuration adds to those of the plan. `globalVerifyCommands` is the older name for both. */
export function configuredCommands({ execution: { verify } }: Configured): {
  readonly fast: readonly string[];
  readonly full: readonly string[];
} {
  const { fastGlobalVerifyCommands, fullGlobalVerifyCommands, globalVerifyCommands: older } = verify;
  const security = verify.securityVerifyCommands;
  const fast = [
    ...(fastGlobalVerifyCommands.length > 0 ? fastGlobalVerifyCommands : older),
    ...(verify.runSecurityVerifyOnEveryTask ? security : []),
  ];
  return { fast: unique(fast), full: unique([...fast, ...older, ...fullGlobalVerifyCommands, ...security]) };
}

/** Everything that an approval of the plan allows to be run, sorted. */
export function grantedCommands(
  prd: Pick<Prd, 'userStories' | 'globalVerifyCommands'>,
  config: Configured,
): string[] {
  return unique([...verifyCommandsOf(prd), ...configuredCommands(config).full]).sort();
}

interface Tiers {
  readonly prd: Pick<Prd, 'userStories' | 'globalVerifyCommands'>;
  readonly config: Configured;
  /** The commands of the approved plan. */
  readonly granted: readonly string[];
}

/** A command that is in the configuration only, and was not shown with the plan, is left out. */
function shown({ granted }: Tiers, lines: readonly string[]): string[] {
  const known = new Set(granted);
  return lines.filter((line) => known.has(line));
}

/** After each attempt: the commands of the task, those of every task, and the fast ones of the configuration. */
export function fastLines(tiers: Tiers, story: { readonly verifyCommands: readonly string[] }): string[] {
  const { prd, config } = tiers;
  const own = [...story.verifyCommands, ...prd.globalVerifyCommands];
  return unique([...own, ...shown(tiers, configuredCommands(config).fast)]);
}

/** The task list without those that count as passed by a person's word alone. */
export function withoutTasks(prd: Prd, tasks: ReadonlySet<string>): Prd {
  return { ...prd, userStories: prd.userStories.filter(({ id }) => !tasks.has(id)) };
}

/**
 * All that can be proven by now: of this task, of those whose commands succeeded before, and of the configuration. A task
 * that counts as passed by a person's word was never proven: its commands are no reason against another one.
 * @param now null when all tasks are done: then everything has to succeed
 */
export function fullLines(
  tiers: Tiers,
  now: { readonly task: string; readonly proven: ReadonlySet<string> } | null,
): string[] {
  const { prd, config } = tiers;
  const stories = prd.userStories.filter(
    ({ id, passes }) => now === null || id === now.task || (passes && now.proven.has(id)),
  );
  return unique([
    ...stories.flatMap(({ verifyCommands }) => verifyCommands),
    ...prd.globalVerifyCommands,
    ...shown(tiers, configuredCommands(config).full),
  ]).sort();
}
