/**
 * Merging where a command tells whether a change works: what the base would become is tested first, several pull requests
 * at once, and only what was tested is merged. One that spoils a batch is found by halving.
 */
import { unmetBeforeTrying } from '../../domain/merge-conditions.ts';
import { mergeBatch } from '../../domain/merge-queue.ts';
import { GatewrightError, isGatewrightError } from '../../errors.ts';
import type { AgentContext, AgentEnd } from '../agent.ts';
import { gatherMergeFacts } from './gather-merge-facts.ts';
import { describeUnmet, landPullRequest, type Member, tidyUp } from './land-pull-request.ts';
import { type Batch, planBatch } from './plan-batch.ts';
import { type Failure, sayItBreaks, sayTheBaseIsBroken } from './say-it-breaks.ts';
import { testCandidate } from './test-candidate.ts';

/** People push to the base meanwhile; after this many times others get a turn. */
const mostRounds = 3;

interface Round {
  landed: Member[];
  /** Why the one that the run is about breaks things, if it does. */
  failure: Failure | null;
  /** Where the base is, as far as this run moved it. */
  base: string;
  /** Whether the base is something else than what was tested as a whole. */
  isUntested: boolean;
}

async function workOff(
  context: AgentContext,
  { branch, base, members }: Batch,
  checkStillHeld: () => Promise<void>,
): Promise<Round> {
  const { repository, transport, workspaces } = context;
  const round: Round = { landed: [], failure: null, base, isUntested: false };
  let green = base;
  let red: Failure | null = null;
  const movedOn = (what: string): GatewrightError => new GatewrightError('head-moved', `${what} moved on.`);
  try {
    await mergeBatch(members, {
      test: async (onTop) => {
        const result = await testCandidate(context, branch, round.base, onTop);
        if (result.isGreen) green = result.commit;
        else red = { why: result.why, output: result.output, branch, base: round.base };
        return result.isGreen;
      },
      // Always what was last found green.
      land: async (batch) => {
        for (const member of batch) {
          const commit = await landPullRequest(context, member, round.base, checkStillHeld);
          if (commit === null) throw movedOn(`#${member.number} or ${branch}`);
          round.landed.push(member);
          round.base = commit;
          round.isUntested = true;
        }
        await transport.fetchCommit(repository, round.base, { branch });
        // A forge that cannot be told where the base has to be may have merged onto something else.
        if ((await workspaces.diff(green, round.base, 100)) !== '') throw movedOn(branch);
        round.isUntested = false;
      },
      reject: async ({ number }) => {
        if (number === members[0]?.number) round.failure = red;
      },
    });
  } catch (error) {
    if (!isGatewrightError(error, 'head-moved')) throw error;
  }
  return round;
}

/** Some were merged without those that they had been tested with: what came of it is tested now. */
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
  for (let number = 1; number <= mostRounds; number += 1) {
    const batch = await context.once(`batch/${number}`, () => planBatch(context, own));
    const { landed, failure, isUntested } = await context.once(`round/${number}`, () =>
      workOff(context, batch, checkStillHeld),
    );
    for (const member of landed) await tidyUp(context, member);
    if (isUntested) await testBase(context, landed.at(-1) ?? own, batch.branch);
    const isLanded = (one: Member): boolean => landed.some((member) => member.number === one.number);
    const left = batch.members.filter((member) => member.number !== own.number && !isLanded(member));
    const handoffs = left.map(startAgain);
    if (isLanded(own)) {
      const { url } = await context.forge.getPullRequest(context.repository, own.number);
      const names = landed.map((member) => `#${member.number}`).join(', ');
      return { message: `merged ${names}`, result: { number: own.number, url }, handoffs };
    }
    if (failure !== null) {
      await sayItBreaks(context, own, failure);
      const at = `${failure.branch} at ${failure.base.slice(0, 12)}`;
      return { message: `not merged: on ${at}, #${own.number} ${describeFailure(failure)}`, handoffs };
    }
    const unmet = await context.once(`unmet/${number}`, async () => {
      const facts = await gatherMergeFacts(context, own.number);
      return facts.head === own.head ? describeUnmet(unmetBeforeTrying(facts)) : 'it was pushed to';
    });
    if (unmet !== '') return { message: `not merged: ${unmet}`, handoffs };
  }
  return {
    message: `not merged yet: the base of #${own.number} keeps moving`,
    handoffs: [startAgain(own)],
  };
}

function describeFailure({ why }: Failure): string {
  return why === 'conflict'
    ? 'conflicts'
    : why === 'failed'
      ? 'breaks the tests'
      : 'makes the tests run too long';
}
