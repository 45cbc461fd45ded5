/** A person approved the plan: what it grants is written down, and prd.json is the first commit of the branch. */
import { labelNames } from '../../../domain/forge/labels.ts';
import { say } from '../../issue-runs/say.ts';
import { moveLabel, pushTree } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { writePlanApproved } from '../rules/comments/plan-comment.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { noRetries } from '../rules/judging/stale-plan.ts';
import { hashApproved } from '../rules/planning/plan-proposal.ts';
import { configuredCommands, grantedCommands } from '../rules/planning/verify-tiers.ts';
import type { LoopState } from '../state.ts';
import { adoptBranch } from './adopt-branch.ts';
import { findAnswerer } from './find-answerer.ts';
import { baseOf, type Grants, parsePrd, readConfig, readGrants, readProposal } from './read-stored.ts';
import { takeOverBranch } from './take-over-branch.ts';

/** What people pushed before they approved, by the plan until now; or after the new one was pushed, and a crash. */
async function takeOverForPlan(context: LoopContext, state: LoopState, granted: Grants) {
  const { ledger } = context;
  const before = await readGrants(context, state);
  const both: Grants = { hosts: [], commands: [...before.commands, ...granted.commands] };
  return takeOverBranch(context, { ...state, grants: await ledger.putText(JSON.stringify(both)) });
}

export async function approvePlan(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const { ledger, forge, repository, request, runId, trees } = context;
  const config = await readConfig(context, state);
  const proposal = await readProposal(context, state);
  const text = await ledger.getText(state.candidate ?? '');
  const prd = parsePrd(text);
  const by = await findAnswerer(context);
  const granted: Grants = { commands: grantedCommands(prd, config), hosts: proposal.networkHosts };
  const grants = await ledger.putText(JSON.stringify(granted));
  const data = { issue: request.number, plan: state.proposal ?? '', grants, by };
  await context.record({ kind: 'loop-plan-approved', key: `${runId}/plan-${state.plans}`, data });
  const { branch } = state;
  const taken = state.head === null ? null : await takeOverForPlan(context, state, granted);
  const expected = taken?.head ?? (await forge.getBranch(repository, branch))?.sha ?? null;
  const parent = expected === null ? baseOf(state).commit : await adoptBranch(context, branch, expected);
  const head = await pushTree(context, `approve-${state.plans}`, {
    ...{ branch, parent, expected },
    tree: await trees.putFiles(parent, [{ path: config.prdLocation, text }]),
    message: `${config.commitPrefixes.state}: ${state.head === null ? 'add' : 'replan'} prd.json (#${request.number})\n`,
  });
  // The plan was on the branch before a crash, and people went on from it.
  const isTheirs = taken !== null && head === taken.head;
  await say(
    context,
    `approved-${state.plans}`,
    writePlanApproved(
      { by, branch, prd, hash: hashApproved(granted), configured: configuredCommands(config).full },
      choosePrefixes(config.commentPrefixes),
    ),
  );
  await moveLabel(context, `approved-${state.plans}`, labelNames.loopApproved);
  return {
    ...{ grants, head, prd: isTheirs ? taken.prd : state.candidate, answeredBy: by, feedback: '' },
    ...{ ceiling: config.maxTaskAttempts, debugAttempts: 0, retries: noRetries },
    ...{ attempt: null, left: null, report: null },
    route: 'wait',
  };
}
