/**
 * Pipelines in the little internet, from a label, a mention or a command to the merge: GitHub's names and TLS, the real
 * Claude Code CLI as analyst and writer. `gatewright serve` is a GitHub App, with models of providers as triage and
 * reviewer; the command has nothing but keys.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { labelNames } from '../../src/domain/forge/labels.ts';
import type { StateDocument } from '../../src/workflows/pipeline/rules/document/state-document.ts';
import { brokenSum } from '../support/pipeline-world.ts';
import { agentLogin, Chain } from './chain.ts';
import { expectNoOverrides } from './expect-no-overrides.ts';
import {
  answerPipeline,
  calculatorFiles,
  escalation,
  finalSum,
  missingProduct,
  question,
  remark,
  reply,
  stageOf,
} from './pipeline-models.ts';
import { whyNoNetwork } from './private-network.ts';
import { appAuthor, ServedProject } from './served-project.ts';
import { keys } from './user-machine.ts';

let chain: Chain;
afterEach(() => chain.close());

const models = { codeReviewer: 'google:gemini-2.5-pro', writer: 'anthropic:claude-sonnet-4-5' } as const;
const outsiderToken = 'a token of mallory';
const asking = '## A person has to decide';

async function readState(number: number): Promise<StateDocument> {
  return JSON.parse((await chain.finish('solve', 'state', String(number), '--json')).stdout) as StateDocument;
}

/** The conversations of the stages, each once: who was asked, and what with. */
function listAsked(title: string): string[] {
  const asked = chain.internet.models.seen.flatMap((seen) => {
    const stage = stageOf(seen);
    const { messages = [] } = JSON.parse(seen.text) as { messages?: readonly { readonly role: string }[] };
    const isFirst = messages.every(({ role }) => role !== 'assistant');
    if (stage === null || !isFirst || !seen.text.includes(title)) return [];
    return [`${stage} ${seen.isStream ? 'claude' : seen.provider}`];
  });
  // The CLI may ask the same again.
  return asked.filter((one, index) => one !== asked[index - 1] || one.startsWith('writer'));
}

/** What GitHub holds of a pull request, and the commit that it was. */
function readPull(issue: number) {
  const branch = `agent/issue-${issue}`;
  const found = chain.pulls.find(({ pull }) => pull?.head === branch);
  const { pull, body = '', title, labels, author } = found ?? {};
  const head = pull?.headSha ?? '';
  const { git } = chain.stored;
  return {
    ...{ title, labels, author, body, isMerged: pull?.mergedAt != null },
    reviews: pull?.reviews.map((review) => `${review.author}: ${review.body.split('\n')[0]}`),
    message: git.run('log', '-1', '--format=%B', head).trim(),
    changed: git.run('diff', '--name-only', `${head}^`, head).split('\n'),
    isBranchThere: git.run('for-each-ref', `refs/heads/${branch}`) !== '',
  };
}

describe.skipIf(whyNoNetwork() !== null)('in the little internet', { timeout: 1_200_000 }, () => {
  it('a label and a mention bring two issues through pipelines to their merge', async () => {
    chain = await Chain.open();
    const { internet, stored } = chain;
    internet.models.script = answerPipeline;
    internet.github.addUser('mallory', outsiderToken);
    const project = await ServedProject.open(chain, calculatorFiles, { models });
    const sum = await project.fileIssue(brokenSum);
    const product = await project.fileIssue(missingProduct);
    chain.skipPending();
    await project.start();

    await project.label(sum, labelNames.agent);
    await project.until(() => project.headings(sum).includes(asking));
    await project.speak(sum, '@claude proceed: I say so', project.as(outsiderToken));
    await project.label(product, labelNames.strategyPipeline);
    await project.speak(product, '@claude please implement this.');
    await project.until(() => project.issue(product)?.state === 'closed');
    // Others were merged meanwhile: what the outsider said went unheard, and the base of this one is out of date.
    await project.untilIdle();
    expect((await chain.finish('solve', 'status', String(sum))).stdout).toContain(escalation);
    expect((await chain.finish('explain', String(sum))).stdout).toContain(escalation);
    expect(listAsked(brokenSum.title)).toEqual(['triage anthropic']);
    await project.speak(sum, '@claude proceed: it is ours.');
    await project.until(() => project.issue(sum)?.state === 'closed');
    await project.untilIdle();
    const said = await project.stop();

    expect(readPull(sum)).toEqual({
      ...{ title: brokenSum.title, labels: [labelNames.autoMerge], author: appAuthor, isMerged: true },
      reviews: [`${appAuthor}: ## No Issues`],
      message: `fix: ${brokenSum.title}\n\nIt adds now.\n\nFixes #${sum}`,
      changed: ['src/sum.js', 'test/sum.test.js'],
      isBranchThere: false,
      body: expect.stringMatching(
        new RegExp(
          [
            `^Fixes #${sum}\n\nIt adds now\\.\n\n## Changes\n\n`,
            '- `src/sum\\.js`: adds instead of subtracting\n- `test/sum\\.test\\.js`\n\n',
            '## What was tested\n\n- `npm test`: exit code 0\n\n3 tests ran, 1 new .*',
            'Without the change, its tests fail: 1 of 3 tests fails\\.\n\n',
            `## How to try it\n\nCheck out \`agent/issue-${sum}\` and run \`npm test\`\\.\n\n`,
            '1\\. Call .*sum\\(1, 2\\).* in a REPL: it is 3\\.\n\n',
            'Attempts: 2\\. Cost: 0\\.\\d\\d USD\\.\n',
          ].join(''),
          'u',
        ),
      ),
    });
    expect(readPull(product)).toMatchObject({
      ...{ isMerged: true, isBranchThere: false },
      message: `feat: ${missingProduct.title}\n\nIt multiplies.\n\nCloses #${product}`,
      changed: ['src/product.js', 'test/product.test.js'],
      body: expect.stringMatching(/\n2 tests ran, 1 new .*Without the change, its tests fail: .*\n/u),
    });
    expect(`${stored.git.run('show', 'main:src/sum.js')}\n`).toBe(finalSum);
    expect(stored.git.run('show', 'main:src/product.js')).toContain('a * b');

    // One attempt was rejected, one question was answered by the analyst and one by a person who may.
    const state = await readState(sum);
    expect(state).toMatchObject({
      pipeline: { attempt: 2, status: 'completed' },
      triage: { decision: 'ESCALATE' },
      writer: { test_file: 'test/sum.test.js', previous_feedback: expect.stringContaining(remark) },
      build: { tests_passed: true, errors: [], commands_run: [{ command: 'npm test', exit_code: 0 }] },
      review: { verdict: 'APPROVED' },
      commit: { branch: `agent/issue-${sum}`, pushed: true, pr_created: true },
      learnings: { outcome: 'success' },
    });
    expect(state.communication.questions).toEqual([
      { from: 'writer', to: 'analyst', question, answered: true, answer: reply },
    ]);
    expect(state.communication.escalations).toMatchObject([
      { agent: 'triage', reason: escalation, resolved: true, resolution: 'it is ours.' },
    ]);
    const asked = ['triage anthropic', 'analyst claude', 'writer claude'];
    expect(listAsked(brokenSum.title)).toEqual([
      ...[...asked, 'answer claude', 'writer claude', 'reviewer google', 'writer claude', 'reviewer google'],
    ]);
    // The first build of the other one failed: its test passed on the old code.
    expect(listAsked(missingProduct.title)).toEqual([...asked, 'writer claude', 'reviewer google']);
    expect((await readState(product)).writer.previous_feedback).toContain(
      'Its tests pass without the change too',
    );

    const status = await chain.finish('solve', 'status', '--json');
    expect(JSON.parse(status.stdout)).toMatchObject([
      { issue: product, status: 'done', gate: null },
      { issue: sum, status: 'done', gate: null },
    ]);
    const explained = await chain.finish('explain', String(product));
    expect(explained.stdout).toContain(`because the issue has the label "${labelNames.strategyPipeline}"`);
    expect((await chain.finish('learnings')).stdout).toContain('Tests use node:test.');
    expect((await chain.finish('ledger', 'verify')).stdout).toContain('Sound');
    const told = stored.issues.flatMap(({ body, comments }) => [body, ...comments.map((one) => one.body)]);
    for (const secret of [...Object.values(keys), ...internet.github.apps.tokens])
      expect([said, ...told].join('\n')).not.toContain(secret);
  });

  it('a command brings an issue to its pull request with nothing but keys, and jobs merge it', async () => {
    chain = await Chain.open();
    const { internet, machine, stored } = chain;
    internet.models.script = answerPipeline;
    stored.git.commit('main', calculatorFiles);
    machine.configure({});
    await chain.setUp();
    internet.github.state.advance(2_000);
    const { title, body, labels } = brokenSum;
    const { number } = internet.github.state.addIssue(stored, 'alice', title, body, labels);
    chain.skipPending();
    const words = ['solve', String(number)];

    const dry = await chain.finish(...words, '--dry-run');
    expect(dry.stdout).toContain('$ npm test');
    expect(internet.models.seen).toEqual([]);
    const asked = await machine.run(...words);
    expect(asked.code, asked.all).toBe(10);
    expect(asked.stderr).toContain(`Continue with: gatewright solve ${number} --proceed "TEXT"`);
    expect(chain.issues[0]?.comments.map(({ author, body }) => [author, body.split('\n')[0]])).toEqual([
      [agentLogin, asking],
    ]);
    const file = join(machine.project, 'issue-state.json');
    const valid = await chain.finish('solve', 'state', '--validate', file);
    expect(valid.stdout + valid.stderr).toContain(`is a valid state of issue #${number}`);
    expect(await readState(number)).toMatchObject({ pipeline: { status: 'blocked' } });
    for (const look of [
      ['solve', 'status', String(number)],
      ['explain', String(number)],
    ])
      expect((await chain.finish(...look)).stdout, look.join(' ')).toContain(escalation);

    const done = await chain.finish(...words, '--proceed', 'it is ours.');
    expect(done.all).toContain('became pull request #2');
    expect(existsSync(file)).toBe(false);
    expect(await machine.git('status', '--porcelain')).toBe('');
    expect((await chain.finish('solve', 'status', String(number))).stdout).toMatch(
      /✓ triage {2}✓ analyst {2}✓ writer {2}✓ build {2}✓ reviewer {2}✓ committer {2}attempt 2 of 3/u,
    );
    expect(readPull(number)).toMatchObject({
      ...{ author: agentLogin, isMerged: false, labels: [labelNames.autoMerge], isBranchThere: true },
      body: expect.stringContaining('2 tests ran, 1 new'),
    });
    const explained = await chain.finish('explain', '2');
    expect(explained.stdout).toContain('not been reviewed');
    const again = await machine.run(...words);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('pull request #2, which is open'),
    ]);

    await chain.dispatchAll((one) => chain.finish(...one));
    expect(readPull(number)).toMatchObject({ isMerged: true, isBranchThere: false });
    expect(chain.issues.map(({ state }) => state)).toEqual(['closed']);
    await expectNoOverrides(chain, {}, ['fleet.verify']);
    expect((await chain.finish('ledger', 'verify')).stdout).toContain('Sound');
  });
});
