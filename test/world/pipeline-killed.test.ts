/**
 * A pipeline in the little internet whose server is killed (SIGKILL) at moments that are drawn, and started again, from the
 * label to the merge. In the end GitHub, git and the ledger are as if it had lived.
 */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { labelNames } from '../../src/domain/forge/labels.ts';
import { brokenSum } from '../support/pipeline-world.ts';
import { readWorld, type WorldState } from '../support/world-state.ts';
import { Chain } from './chain.ts';
import { answerPipeline, calculatorFiles } from './pipeline-models.ts';
import { whyNoNetwork } from './private-network.ts';
import { type Moment, ServedProject } from './served-project.ts';
import { repositoryName } from './story.ts';

const chains: Chain[] = [];
afterEach(async () => {
  for (const chain of chains.splice(0)) await chain.close();
});

const models = { codeReviewer: 'google:gemini-2.5-pro', writer: 'anthropic:claude-sonnet-4-5' } as const;

interface Played {
  readonly state: WorldState;
  readonly deaths: readonly string[];
}

async function look({ machine, stored }: Chain, { alice }: ServedProject): Promise<WorldState> {
  const env = { PATH: process.env.PATH ?? '', HOME: machine.home };
  const git = (...words: string[]): string =>
    execFileSync('git', words, { cwd: machine.project, env, encoding: 'utf8' }).trim();
  const state = await readWorld({
    ...{ playground: { database: machine.database, git }, repository: repositoryName, forge: alice },
    git: (...words) => stored.git.run(...words),
  });
  // What a call that was cut off has cost, no one knows; the text says so.
  const bound = /, and at most \d+\.\d\d USD for calls that were cut off/u;
  const pulls = state.forge.pulls.map((pull) => ({ ...pull, body: pull.body.replace(bound, '') }));
  // The merge updates the branch. What that push wakes finds the pull request open or merged already, by chance: then it
  // ends without a deed, so that it is no run more. What was done and paid is compared one by one.
  const ledger = { ...state.ledger, runs: [...new Set(state.ledger.runs)] };
  return { ...state, ledger, forge: { ...state.forge, pulls } };
}

async function play(moments: readonly Moment[]): Promise<Played> {
  const chain = await Chain.open();
  chains.push(chain);
  chain.internet.models.script = answerPipeline;
  const project = await ServedProject.open(chain, calculatorFiles, { models });
  const number = await project.fileIssue(brokenSum);
  chain.skipPending();
  await project.start(moments);
  await project.label(number, labelNames.agent);
  await project.until(() => project.headings(number).includes('## A person has to decide'));
  await project.speak(number, '@claude proceed: it is ours.');
  await project.until(() => project.issue(number)?.state === 'closed');
  await project.untilIdle();
  await project.stop();
  return { state: await look(chain, project), deaths: project.deaths };
}

/** Within a few requests of its start, so that it dies often; builds and agents work between requests. */
const moment = fc.record({
  requests: fc.integer({ min: 2, max: 25 }),
  milliseconds: fc.integer({ min: 0, max: 4000 }),
});
const lives = 6;
const worlds = 2;

describe.skipIf(whyNoNetwork() !== null)('in the little internet', { timeout: 1_800_000 }, () => {
  it('a pipeline whose server is killed again and again leaves what an undisturbed one leaves', async () => {
    const { state: undisturbed } = await play([]);
    expect(undisturbed.forge.pulls.map(({ state }) => state)).toEqual(['merged']);
    expect(undisturbed.ledger).toMatchObject({ problems: [], open: [], paidTwice: [] });
    const drawn = fc.sample(fc.array(moment, { minLength: lives, maxLength: lives }), worlds);
    for (const moments of drawn) {
      const { state, deaths } = await play(moments);
      expect(deaths.length).toBeGreaterThan(2);
      expect(state, `killed ${deaths.join(', ')}`).toEqual(undisturbed);
    }
  });
});
