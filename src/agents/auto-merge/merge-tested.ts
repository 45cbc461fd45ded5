/**
 * Merging where a command shows whether a change works. The future base is tested first, with several pull requests at
 * once, and the base never gets a state that was not tested as a whole. Halving finds the pull request that breaks a
 * batch.
 */

import { mergeBatch, mergeInSteps } from '../../domain/fleet/merge-queue.ts';
import { GatewrightError, isGatewrightError } from '../../errors.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { endInConflict } from './end-in-conflict.ts';
import { gatherMergeFacts } from './gather-merge-facts.ts';
import { describeUnmet, landPullRequest, landTogether, type Member, tidyUp } from './land-pull-request.ts';
import { type Batch, planBatch } from './plan-batch.ts';
import { type Failure, failureWords, reportBrokenMerge, sayTheBaseIsBroken } from './report-broken-merge.ts';
import { unmetBeforeTrying } from './rules/merge-conditions.ts';
import { type Step, type TestResult, testBeginnings, testCandidate } from './test-candidate.ts';
import { tryAgain } from './try-again.ts';

/** People may push to the base meanwhile. After this many rounds, other pull requests get their turn. */
const mostRounds = 3;

interface Round {
  landed: Member[];
  /** Why the pull request of this run breaks things, if it does. */
  failure: Failure | null;
  /** The pull request after which the base differed from the tested state; null when it never did. */
  untestedAfter: number | null;
}

/**
 * Merges a batch. Where the forge can, a tested batch goes onto the base in one move; where it cannot, each state of
 * the base in between is tested before, and compared again after each merge.
 */
async function workOff(
  context: AgentContext,
  { branch, base, members }: Batch,
  checkStillHeld: () => Promise<void>,
): Promise<Round> {
  const { forge, repository, settings, transport, trees } = context;
  const round: Round = { landed: [], failure: null, untestedAfter: null };
  let tip = base;
  let tested = new Map<string, TestResult>();
  const nameOf = (batch: readonly Member[]): string => batch.map(({ number }) => number).join('+');
  const movedOn = (): GatewrightError =>
    new GatewrightError('head-moved', `A pull request of the batch has moved.`);
  const testEach = async (beginnings: readonly (readonly Member[])[]): Promise<boolean[]> => {
    const results = await testBeginnings(context, branch, tip, beginnings);
    for (const [index, result] of results.entries()) tested.set(nameOf(beginnings[index] ?? []), result);
    return results.map(({ isGreen }) => isGreen);
  };
  /** What was found green about them; what was not, is not merged. */
  const stepsOf = (batch: readonly Member[]): readonly Step[] => {
    const result = tested.get(nameOf(batch));
    if (result?.isGreen === true) return result.steps;
    throw new GatewrightError('internal', 'The batch was not tested green.');
  };
  const reject = async (spoiler: Member): Promise<void> => {
    const result = tested.get(nameOf([spoiler]));
    // The first of a round is the one that the run is about, so that alone it is what was tested.
    if (spoiler.number === members[0]?.number && result?.isGreen === false)
      round.failure = { why: result.why, output: result.output, branch, base: tip };
  };
  const landAll = async (batch: readonly Member[]): Promise<void> => {
    const commits = await landTogether(context, stepsOf(batch), tip, checkStillHeld);
    if (commits === null) throw movedOn();
    round.landed.push(...batch);
    tip = commits.at(-1) ?? tip;
    tested = new Map();
  };
  let beginning: Member[] = [];
  const landNext = async (member: Member): Promise<void> => {
    const step = stepsOf([...beginning, member]).at(-1);
    const onto = { base: tip, tested: step?.commit ?? null };
    const commit = await landPullRequest(context, member, onto, checkStillHeld);
    if (commit === null) throw movedOn();
    round.landed.push(member);
    beginning.push(member);
    tip = commit;
    await transport.fetchCommit(repository, tip, { branch });
    // A forge that cannot be told where the base has to be may have merged onto something else.
    if ((await trees.treeOf(tip)) === step?.tree) return;
    round.untestedAfter = member.number;
    throw movedOn();
  };
  try {
    if (forge.mergesTogether)
      await mergeBatch(members, {
        test: async (onTop) => (await testEach([onTop]))[0] === true,
        land: landAll,
        reject,
      });
    else
      await mergeInSteps(members, settings.testsAtOnce, {
        testEach: (beginnings) => {
          beginning = [];
          tested = new Map();
          return testEach(beginnings);
        },
        land: landNext,
        reject,
      });
  } catch (error) {
    if (!isGatewrightError(error, 'head-moved')) throw error;
  }
  return round;
}

/** A change by another actor reached the base between the test and the merge: the resulting base is tested now. */
async function testBase(context: AgentContext, last: Member, branch: string): Promise<void> {
  const base = await context.once('untested-base', () =>
    context.transport.fetchBranch(context.repository, branch),
  );
  const result = await testCandidate(context, branch, base, []);
  if (!result.isGreen)
    await sayTheBaseIsBroken(context, last, { why: result.why, output: result.output, branch, base });
}

export async function mergeTested(
  context: AgentContext,
  own: Member,
  checkStillHeld: () => Promise<void>,
): Promise<AgentEnd> {
  const startAgain = ({ number }: Member) => ({ to: 'auto-merge', task: 'start', number }) as const;
  let branch = '';
  for (let number = 1; number <= mostRounds; number += 1) {
    const batch = await context.once(`batch/${number}`, () => planBatch(context, own));
    branch = batch.branch;
    const { landed, failure, untestedAfter } = await context.once(`round/${number}`, () =>
      workOff(context, batch, checkStillHeld),
    );
    for (const member of landed) await tidyUp(context, member);
    if (untestedAfter !== null) await testBase(context, landed.at(-1) ?? own, batch.branch);
    const isLanded = (one: Member): boolean => landed.some((member) => member.number === one.number);
    const left = batch.members.filter((member) => member.number !== own.number && !isLanded(member));
    const handoffs = left.map(startAgain);
    if (isLanded(own)) {
      const { url } = await context.forge.getPullRequest(context.repository, own.number);
      const names = landed.map((member) => `#${member.number}`).join(', ');
      const stop =
        untestedAfter === null
          ? ''
          : `; stopped after #${untestedAfter}: ${batch.branch} was not what had been tested, because it moved in that moment`;
      return { message: `merged ${names}${stop}`, result: { number: own.number, url }, handoffs };
    }
    if (failure?.why === 'conflict') {
      const end = await endInConflict(context, own, failure.branch);
      return { ...end, handoffs: [...handoffs, ...(end.handoffs ?? [])] };
    }
    if (failure !== null) {
      await reportBrokenMerge(context, own, failure);
      const at = `${failure.branch} at ${failure.base.slice(0, 12)}`;
      return { message: `not merged: on ${at}, #${own.number} ${failureWords[failure.why]}`, handoffs };
    }
    const unmet = await context.once(`unmet/${number}`, async () => {
      const facts = await gatherMergeFacts(context, own.number);
      return facts.head === own.head ? describeUnmet(unmetBeforeTrying(facts)) : 'it was pushed to';
    });
    if (unmet !== '') return { message: `not merged: ${unmet}`, handoffs };
  }
  return tryAgain(context, own, branch);
}
