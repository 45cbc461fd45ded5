/**
 * A loop in the little internet, from a label to the merge: GitHub's names and TLS, `gatewright serve` as a GitHub App, and
 * the real Claude Code CLI for planner and coder. A person only labels, comments and merges.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openForge } from '../contracts/github-world.ts';
import { plan, report, task } from '../support/loop-cassette.ts';
import {
  answerWith,
  type Reply,
  type SeenRequest,
  type ToolUse,
  useTool,
} from '../support/scripted-provider.ts';
import { Chain, personToken } from './chain.ts';
import { whyNoNetwork } from './private-network.ts';
import { repositoryName } from './story.ts';
import { keys } from './user-machine.ts';

let chain: Chain;
afterEach(() => chain.close());

const output = (input: object): ToolUse => ({ name: 'StructuredOutput', input });

const wanted = plan([task('difference'), task('product', { dependsOn: [1] })], { globalVerifyCommands: [] });

function workOn(name: string, sign: string, expected: number, folder: string): ToolUse[] {
  const source = `export function ${name}(a, b) {\n  return a ${sign} b;\n}\n`;
  const test = `import assert from 'node:assert';\nimport test from 'node:test';\nimport { ${name} } from '../src/${name}.js';\n\ntest('${name}', () => assert.equal(${name}(3, 2), ${expected}));\n`;
  return [
    { name: 'Write', input: { file_path: `${folder}/src/${name}.js`, content: source } },
    { name: 'Write', input: { file_path: `${folder}/test/${name}.test.js`, content: test } },
    output(report({ patterns: [] })),
  ];
}

/** The models answer from what they are shown and remember nothing. */
function answer(seen: SeenRequest): Reply {
  const { text } = seen;
  const { messages = [] } = JSON.parse(text) as { messages?: readonly { readonly role: string }[] };
  const done = messages.filter(({ role }) => role === 'assistant').length;
  const folder = /[Ww]orking directory: ([^\s"\\]+)/u.exec(text)?.[1] ?? '';
  const next = (uses: readonly ToolUse[]): Reply => {
    const use = uses[done];
    return use === undefined ? answerWith(seen, 'Done.') : useTool(seen, use);
  };
  if (text.includes('You review a change to a software project'))
    return next([output({ summary: 'Fine.', findings: [] })]);
  if (text.includes('plans work on one issue as a list of small tasks')) return next([output(wanted)]);
  if (text.includes('Your task, US-001 of issue')) return next(workOn('difference', '-', 1, folder));
  if (text.includes('Your task, US-002 of issue')) return next(workOn('product', '*', 6, folder));
  return answerWith(seen, 'Hello.');
}

describe.skipIf(whyNoNetwork() !== null)('in the little internet', { timeout: 360_000 }, () => {
  it('a label, answers, an approval and a merge bring an issue through the loop', async () => {
    chain = await Chain.open();
    const { internet, machine, stored } = chain;
    const { github } = internet;
    internet.models.script = answer;
    const app = github.apps.add('gate-bot', [repositoryName], {
      ...{ contents: 'write', issues: 'write', pull_requests: 'write', actions: 'read', checks: 'read' },
      ...{ statuses: 'read', metadata: 'read' },
    });
    stored.git.commit('main', { 'package.json': '{ "name": "calc", "type": "module" }\n' });
    await chain.setUp();
    machine.configure({});
    const keyFile = join(machine.home, 'app.pem');
    writeFileSync(keyFile, app.privateKey, { mode: 0o600 });
    const alice = openForge(github.url, { kind: 'token', token: personToken });
    const { number } = await alice.createIssue(repositoryName, {
      title: 'More operations',
      body: 'Subtract and multiply.',
      labels: [],
    });
    chain.skipPending();
    const server = machine.start(['gatewright', 'serve'], {
      GATEWRIGHT_WEBHOOK_SECRET: 'the secret of this hook',
      GATEWRIGHT_GITHUB_APP_ID: String(app.id),
      GATEWRIGHT_GITHUB_APP_KEY_FILE: keyFile,
    });
    await Promise.race([
      chain.untilServing(),
      server.ended.then(({ all }) => {
        throw new Error(all);
      }),
    ]);
    const issue = () => stored.issues.find((one) => one.number === number);
    const said = (): string[] => issue()?.comments.map(({ body }) => body.split('\n')[0] ?? '') ?? [];
    const labels = (): readonly string[] => issue()?.labels ?? [];
    const until = async (isThere: () => boolean): Promise<void> => {
      await chain.deliverUntil(isThere, 120);
      if (isThere()) return;
      server.child.kill('SIGTERM');
      throw new Error(`${said().join('\n')}\n${labels().join()}\n${(await server.ended).all}`);
    };
    const speak = async (body: string): Promise<void> => {
      // A person needs more than the second in which they were asked.
      github.state.advance(2_000);
      await alice.createComment(repositoryName, number, body);
    };

    await alice.editIssue(repositoryName, number, { addLabels: ['AI'] });
    await until(() => said().includes('## Questions before the plan'));
    expect(labels()).toEqual(['AI: Planning']);
    await speak('In `src/`, one file each. Done when `node --test` passes.');
    await until(() => said().includes('## 📋 Implementation Plan'));
    github.state.advance(2_000);
    await alice.editIssue(repositoryName, number, { addLabels: ['AI: Approved'] });
    await until(() => labels().includes('AI: Testing'));
    expect(said().filter((one) => one.startsWith('## 📝 Task Log'))).toEqual([
      '## 📝 Task Log: US-001 - Add difference',
      '## 📝 Task Log: US-002 - Add product',
    ]);
    await speak('Works!');
    await until(() => chain.pulls.some(({ pull }) => (pull?.reviews.length ?? 0) > 0));
    await until(() => labels().includes('AI: Review'));
    const [pull] = await alice.listPullRequests(repositoryName, { state: 'open' });
    const title = `More operations (#${pull?.number})`;
    await alice.mergePullRequest(repositoryName, pull?.number ?? 0, {
      ...{ head: pull?.head.sha ?? '', title, body: '' },
    });
    await until(() => labels().includes('AI: Complete') && chain.pending().length === 0);
    server.child.kill('SIGTERM');
    const { code, all } = await server.ended;
    expect(code, all).toBe(0);

    expect(stored.git.run('show', 'main:src/product.js')).toContain('a * b');
    expect(issue()?.state).toBe('closed');
    const ours = issue()?.comments.filter(({ author }) => author !== 'alice') ?? [];
    expect(new Set(ours.map(({ author }) => author))).toEqual(new Set(['gate-bot[bot]']));
    const story = [all, ...(issue()?.comments ?? []).map(({ body }) => body)].join('\n');
    for (const secret of [...Object.values(keys), ...github.apps.tokens]) expect(story).not.toContain(secret);
    const run = await machine.run('runs', '--json');
    expect(run.stdout).toContain('"workflow": "loop"');
    expect((await machine.run('ledger', 'verify')).stdout).toContain('Sound');
    // Planner and coder were the real CLI: one conversation each, and one for each task.
    const asked = internet.requests.filter(({ host }) => host === 'api.anthropic.com');
    expect(asked.length).toBeGreaterThanOrEqual(8);
  });
});
