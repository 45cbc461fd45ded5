/** Other keys than most people have: nobody but `gh` is logged in, or the models are OpenAI's. Nothing else is set. */
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Result } from '../support/playground.ts';
import { agentLogin, Chain } from './chain.ts';
import { modelHosts } from './little-internet.ts';
import { whyNoNetwork } from './private-network.ts';
import { issueTitle } from './story.ts';
import { allKeys } from './user-machine.ts';

let chain: Chain;
afterEach(() => chain.close());

const { ANTHROPIC_API_KEY, GEMINI_API_KEY, GITHUB_TOKEN, OPENAI_API_KEY } = allKeys;

/** The real `gh` of this machine; null when there is none, which is said in one line. */
function findGh(): string | null {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'gh'))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  if (found === undefined)
    process.stderr.write('The scene with a real gh is left out: gh is not installed on this machine\n');
  return found ?? null;
}

const gh = whyNoNetwork() === null ? findGh() : null;

function expectFiled({ all }: Result): void {
  expect(chain.issues.map(({ title, author }) => ({ title, author }))).toEqual([
    { title: issueTitle, author: agentLogin },
  ]);
  for (const key of Object.values(allKeys)) expect(all).not.toContain(key);
}

/** Who was asked, and with which key. */
const asked = (): readonly (readonly string[])[] =>
  chain.internet.models.seen.map(({ provider, key, model }) => [provider, key, model]);

describe.skipIf(whyNoNetwork() !== null)('in the little internet', { timeout: 240_000 }, () => {
  it.skipIf(gh === null)(
    'somebody who is logged in with gh, and has no token set, files an issue',
    async () => {
      chain = await Chain.open({ given: { ANTHROPIC_API_KEY, GEMINI_API_KEY }, missingLabels: 0 });
      const { machine } = chain;
      machine.install('gh', gh ?? '');
      const folder = join(machine.home, '.config', 'gh');
      mkdirSync(folder, { recursive: true });
      // As `gh auth login` leaves it.
      writeFileSync(
        join(folder, 'hosts.yml'),
        `github.com:\n    user: ${agentLogin}\n    oauth_token: ${GITHUB_TOKEN}\n    git_protocol: https\n`,
        { mode: 0o600 },
      );
      writeFileSync(
        join(machine.home, '.gitconfig'),
        '[user]\n\tname = Test Person\n\temail = test@example.invalid\n',
      );
      const helper = await machine.start(['gh', 'auth', 'setup-git'], {}, machine.folder).ended;
      expect(helper.code, helper.all).toBe(0);
      await chain.setUp();
      const doctor = await chain.finish('doctor');
      expect(doctor.stdout).toContain(`github.com; ${agentLogin} may write to acme/project`);
      expectFiled(await chain.fileIssue());
      expect(machine.environments.filter((variables) => 'GITHUB_TOKEN' in variables)).toEqual([]);
      // Without the login there is no other way in.
      writeFileSync(join(folder, 'hosts.yml'), '', { mode: 0o600 });
      const refused = await machine.run('doctor');
      expect(refused.all).toContain('No token for github.com was found');
    },
  );

  it('the reviewer is OpenAI when that is the other key that somebody has', async () => {
    chain = await Chain.open({
      given: { ANTHROPIC_API_KEY, OPENAI_API_KEY, GITHUB_TOKEN },
      missingLabels: 0,
    });
    await chain.setUp();
    expectFiled(await chain.fileIssue());
    expect(asked()).toEqual([
      ['anthropic', ANTHROPIC_API_KEY, expect.stringContaining('claude')],
      ['openai', OPENAI_API_KEY, 'gpt-5'],
    ]);
    const hosts = new Set(chain.internet.requests.map(({ host }) => host));
    expect([...hosts].toSorted()).toEqual(
      [modelHosts.anthropic, modelHosts.openai, 'api.github.com', 'github.com'].toSorted(),
    );
  });

  it('the drafter is OpenAI when nothing else is there, and rules review', async () => {
    chain = await Chain.open({ given: { OPENAI_API_KEY, GITHUB_TOKEN }, hasClaude: false, missingLabels: 0 });
    await chain.setUp();
    const doctor = await chain.machine.run('doctor');
    expect(doctor.stdout).toContain(`${modelHosts.openai}:443`);
    expectFiled(await chain.fileIssue());
    expect(asked()).toEqual([['openai', OPENAI_API_KEY, 'gpt-5']]);
  });
});
