/** The planner reads the repository and proposes tasks; code checks them, and the plan is posted for a person. */

import { labelNames } from '../../../domain/forge/labels.ts';
import { countOf } from '../../../domain/text/count-of.ts';
import { fenceUntrusted } from '../../../domain/text/fence-untrusted.ts';
import { GatewrightError } from '../../../errors.ts';
import { workApart } from '../../../runs/coding/work-in-copy.ts';
import { say } from '../../issue-runs/say.ts';
import { moveLabel } from '../forge-steps.ts';
import type { LoopContext } from '../loop-context.ts';
import { writePlanComment } from '../rules/comments/plan-comment.ts';
import { choosePrefixes } from '../rules/comments/prefixes.ts';
import { checkTasks } from '../rules/document/check-tasks.ts';
import { loopBranchOf } from '../rules/planning/branch-name.ts';
import { chooseFormula } from '../rules/planning/formula.ts';
import { keepPassed } from '../rules/planning/keep-passed.ts';
import {
  hashApproved,
  type PlanProposal,
  planProposalSchema,
  prdFromProposal,
} from '../rules/planning/plan-proposal.ts';
import { configuredCommands, grantedCommands } from '../rules/planning/verify-tiers.ts';
import type { LoopState } from '../state.ts';
import { baseOf, listConfigWarnings, parsePrd, readConfig, readIssue } from './read-stored.ts';

const turnLimit = 40;
/** How often the planner is asked to mend what code found before a person sees the plan. */
const mostRepairs = 2;

async function describeTask(context: LoopContext, state: LoopState, repair: string): Promise<string> {
  const { title, body, number, labels } = await readIssue(context, state);
  const earlier = state.proposal === null ? null : await context.ledger.getText(state.proposal);
  const parts = [
    'Plan the work on this issue as tasks.',
    `By its labels and words it is work of the kind "${chooseFormula({ title, body, labels })}".`,
    `Issue #${number}:\n${fenceUntrusted('ISSUE', `${title}\n\n${body}`)}`,
    ...(state.answers === ''
      ? []
      : [
          `What was asked about it:\n${state.questions.map((text) => `- ${text}`).join('\n')}`,
          `What a maintainer answered:\n${fenceUntrusted('ANSWERS', state.answers)}`,
        ]),
    ...(earlier === null
      ? []
      : [`The plan so far, which is to be changed:\n${fenceUntrusted('PLAN', earlier)}`]),
    ...(state.feedback === ''
      ? []
      : [`What a maintainer asks for now:\n${fenceUntrusted('ORDER', state.feedback)}`]),
    ...(repair === '' ? [] : [`Rules that the last proposal breaks; keep them this time:\n${repair}`]),
  ];
  return parts.join('\n\n');
}

async function askPlanner(
  context: LoopContext,
  state: LoopState,
  call: number,
  repair: string,
): Promise<PlanProposal> {
  const { commit } = baseOf(state);
  const { end } = await workApart(
    context,
    `${context.runId}-plan`,
    {
      ...{ role: 'loop-planner', call, start: commit, steeringFrom: commit, turnLimit },
      instructions: await context.prompts.render('loop-plan', {}),
      describe: () => describeTask(context, state, repair),
      tools: { mode: 'plan' },
      purpose: `planning the tasks of #${context.request.number}`,
      schema: planProposalSchema,
    },
    { look: async () => null },
  );
  if (end.kind === 'finished' && end.object !== null) return end.object;
  throw new GatewrightError(
    'plan-unfinished',
    `No plan for #${context.request.number} came of ${turnLimit} turns.`,
  );
}

/** A plan that no person asked for stays small. */
function limitTasks(count: number, most: number) {
  if (count <= most) return [];
  const message = `The plan has ${countOf(count, 'task')} that are not done; at most ${most} are wanted.`;
  return [
    { path: 'tasks', message, suggestion: 'Join tasks, or leave out what can wait.', isBlocking: true },
  ];
}

/** Asks until code has nothing against it, or a person has to decide. */
async function propose(context: LoopContext, state: LoopState) {
  const config = await readConfig(context, state);
  const { number, title } = await readIssue(context, state);
  const usual = loopBranchOf(config.branchPrefix, number, title);
  const branchName = state.branch === '' ? usual : state.branch;
  let repair = '';
  for (let tried = 1; ; tried += 1) {
    const proposal = await askPlanner(context, state, state.plans + tried, repair);
    const fresh = prdFromProposal({
      ...{ issue: { number, title }, proposal, branchName, config },
      generatedAt: context.startedAt.toISOString(),
    });
    const prd = state.prd === null ? fresh : keepPassed(await context.ledger.getText(state.prd), fresh);
    const open = parsePrd(prd).userStories.filter(({ passes }) => !passes).length;
    const findings = [
      ...checkTasks(parsePrd(prd), config),
      ...(state.isStale === true ? limitTasks(open, config.execution.replan.maxGeneratedTasks) : []),
    ];
    const blocking = findings.filter(({ isBlocking }) => isBlocking);
    const remarks = findings.map(({ path, message, suggestion }) =>
      `${path}: ${message} ${suggestion}`.trim(),
    );
    if (blocking.length === 0 || tried > mostRepairs)
      return { proposal, prd, remarks, tried, branchName, usual };
    repair = remarks.map((remark) => `- ${remark}`).join('\n');
  }
}

export async function makePlan(context: LoopContext, state: LoopState): Promise<Partial<LoopState>> {
  const { ledger } = context;
  if (state.plans > 0) await moveLabel(context, `planning-${state.step}`, labelNames.loopPlanning);
  const { proposal, prd, remarks, tried, branchName, usual } = await propose(context, state);
  const plans = state.plans + tried;
  const config = await readConfig(context, state);
  const warnings = listConfigWarnings(state.config === null ? null : await ledger.getText(state.config));
  const branches =
    branchName === usual
      ? []
      : [
          `The branch "${usual}" is there already, and stays as it is: this loop begins at the base, on "${branchName}". To go on from the earlier work, merge that branch into this one after the approval.`,
        ];
  const parsed = parsePrd(prd);
  const text = writePlanComment(
    {
      ...{
        proposal,
        prd: parsed,
        remarks: [...remarks, ...branches, ...warnings],
        handle: context.settings.handle,
      },
      configured: configuredCommands(config).full,
      hash: hashApproved({ commands: grantedCommands(parsed, config), hosts: proposal.networkHosts }),
    },
    choosePrefixes(config.commentPrefixes),
  );
  const planComment = await say(context, `plan-${plans}`, text);
  return {
    plans,
    proposal: await ledger.putText(JSON.stringify(proposal)),
    candidate: await ledger.putText(prd),
    planText: await ledger.putText(text),
    branch: branchName,
    remarks,
    planComment,
    feedback: '',
    isStale: false,
    route: 'ask-plan',
  };
}
