/** From an issue to a pull request, with real git and real tests; and everything that may stop it on the way. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  codesOf,
  done,
  fixed,
  goodSteps,
  goodTest,
  ImplementerWorld,
  messagesOf,
  type Work,
} from '../../../test/support/implementer-world.ts';
import { setLabel } from '../../../test/support/reviewed-pull-request.ts';
import { describeWaiting } from '../../runs/describe-waiting.ts';

let world: ImplementerWorld;
afterEach(() => world.remove());

const open = async (...works: Work[]): Promise<ImplementerWorld> => {
  world = await ImplementerWorld.open(works);
  return world;
};

/** Copies that are left over. */
function listWorkspaces(): string[] {
  const folder = join(world.fleet.playground.folder, 'data', 'workspaces');
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe('an issue that is carried out', () => {
  it('shows what the coding agent was denied in the pull request and in its run', async () => {
    await open({ steps: [...goodSteps, { run: ['curl', 'http://192.0.2.1/'] }] });
    const { number } = await world.order();
    const [pull] = await world.pulls();
    expect(pull?.body).toContain('### Denied');
    expect(pull?.body).toContain('- `Bash curl http://192.0.2.1/`');
    const [answered] = await world.entries(number, 'model-answered');
    expect(answered?.data.denials).toEqual({
      ...{ count: 1, first: [{ tool: 'Bash', target: 'curl http://192.0.2.1/' }] },
    });
  });

  it('becomes a branch, a tested commit and a pull request with one risk label', async () => {
    const steps = [...goodSteps, { run: ['node', '--test'] }];
    await open({ steps, includes: ['sum subtracts', '@claude please', '- node --test'] });
    const { number, outcomes } = await world.order();
    const [pull, ...more] = await world.pulls();
    expect(more).toEqual([]);
    expect(messagesOf(outcomes)[0]).toBe(`#${number} is carried out in #${pull?.number} (auto-merge)`);
    expect(pull).toMatchObject({ title: 'sum subtracts', author: world.fleet.own, labels: ['auto-merge'] });
    expect(pull?.head.branch).toBe(`gatewright/issue-${number}`);
    expect(pull?.body).toContain(`Closes #${number}`);
    expect(pull?.body).toContain('Gatewright ran `node --test`');
    expect(pull?.body).toContain('**passed**');
    expect(pull?.body).toContain('sum adds now.');
    expect(world.git('show', `${pull?.head.sha}:src/sum.mjs`)).toBe(fixed.trim());
    expect(world.git('log', '-1', '--format=%an %s', pull?.head.sha ?? '')).toBe(
      'gatewright[bot] sum subtracts',
    );
    expect(await world.labels(number)).toEqual([]);
    expect(await world.said(number)).toEqual([]);
    expect(listWorkspaces()).toEqual([]);
    const [verified] = await world.entries(number, 'command-verified');
    expect(verified?.data).toMatchObject({
      command: ['node', '--test'],
      exitCode: 0,
      commit: pull?.head.sha,
    });
    const [pushed] = await world.entries(number, 'work-pushed');
    expect(pushed?.data).toEqual({ issue: number, branch: pull?.head.branch, commit: pull?.head.sha });
    const made = await world.fleet.house.ledger.find(
      'pull-request-made',
      `${world.repository}#${pull?.number}`,
    );
    expect(made?.data).toMatchObject({ issue: number, base: 'main' });
    const [end] = await world.entries(number, 'run-ended');
    expect(end?.data.handoffs?.map(({ to, task }) => `${to} ${task}`)).toEqual([
      'reviewer start',
      'pr-size-guardian start',
    ]);
  });

  it('is opened for a person to look at when its tests fail, with what failed', async () => {
    await open({ steps: [{ write: 'test/sum.test.mjs', content: goodTest }] });
    await world.order();
    const [pull] = await world.pulls();
    expect(pull?.labels).toEqual(['needs-review']);
    expect(pull?.body).toContain('**failed** with exit code 1');
    expect(pull?.body).toContain('The check fails: node --test.');
    // Lists say so too, before the labels: without a fix they help nothing.
    await world.play([], { GATEWRIGHT_AGENTS: 'auto-merge' });
    await setLabel(world.fleet, pull?.number ?? 0, 'bug');
    await world.fleet.catchUp();
    const [waiting] = (await world.fleet.house.views.listWaiting()).map(describeWaiting);
    expect(waiting?.why).toMatch(/^not merged: "node --test" fails on it; .*the label "needs-review"/u);
    expect(waiting?.how).toMatch(/^push a fix, or order one from the agent; /u);
  });

  it.each<[string, Work, string, string]>([
    [
      'its author thinks it is risky',
      { steps: goodSteps, outcome: done({ risk: 'blocked' }) },
      'blocked',
      'calls it',
    ],
    [
      'its author has questions',
      { steps: goodSteps, outcome: done({ questions: ['Really @bob, closes #1?'] }) },
      'blocked',
      'Really @&#8203;bob, closes #&#8203;1?',
    ],
    [
      'it changes what steers builds, which is left out',
      { steps: [...goodSteps, { write: '.github/workflows/x.yml', content: 'on: push\n' }] },
      'needs-review',
      '`.github/workflows/x.yml`',
    ],
    [
      'it works only with what was left out',
      {
        steps: [
          { write: '.vscode/plus.mjs', content: 'export const plus = (a, b) => a + b;\n' },
          { write: 'src/sum.mjs', content: "export { plus as sum } from '../.vscode/plus.mjs';\n" },
          { write: 'test/sum.test.mjs', content: goodTest },
          { run: ['node', '--test'] },
        ],
      },
      'needs-review',
      '**failed** with exit code 1',
    ],
    [
      'it has no test',
      { steps: [{ write: 'src/sum.mjs', content: fixed }] },
      'needs-review',
      'It changes code and no test that the project’s runner would run.',
    ],
  ])('gets a graver label when %s', async (_name, work, label, words) => {
    await open(work);
    await world.order();
    const [pull] = await world.pulls();
    expect(pull?.labels).toEqual([label]);
    expect(pull?.body).toContain(words);
    expect(world.git('ls-tree', '-r', '--name-only', pull?.head.sha ?? '')).not.toContain('.github');
  });

  it('needs a person when no command shows whether it works', async () => {
    world = await ImplementerWorld.open([{ steps: goodSteps }], { GATEWRIGHT_VERIFY: '' });
    await world.order();
    const [pull] = await world.pulls();
    expect(pull?.labels).toEqual(['needs-review']);
    expect(pull?.body).toContain('nothing was run');
  });

  it('closes nothing and calls nobody with the words of its author', async () => {
    await open({
      steps: goodSteps,
      outcome: done({ summary: 'Closes #99. Thanks @bob <!-- gatewright:x -->' }),
    });
    await world.order();
    const [pull] = await world.pulls();
    expect(pull?.body).not.toMatch(/@bob|#99|<!-- gatewright:x/u);
  });

  it('starts from the newest commit of the base, and takes another branch when somebody has that name', async () => {
    await open({ steps: goodSteps });
    world.git('branch', 'gatewright/issue-1');
    world.fleet.playground.write('later.txt', 'later\n');
    world.git('add', '--all');
    world.git('commit', '--quiet', '--message', 'Later');
    const { number } = await world.order();
    expect(number).toBe(1);
    const [pull] = await world.pulls();
    expect(pull?.head.branch).toBe('gatewright/issue-1-2');
    expect(world.git('show', `${pull?.head.sha}:later.txt`)).toBe('later');
    expect(world.git('rev-parse', 'gatewright/issue-1')).not.toBe(pull?.head.sha);
  });
});

describe('what is not taken over', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;

  it.each<[string, object, string]>([
    [
      'a key in a file',
      { write: 'config.mjs', content: `export const key = '${token}';\n` },
      'work-has-secret',
    ],
    ['a name that no other machine could check out', { write: 'a\\b.txt', content: 'x' }, 'work-refused'],
  ])('%s stops the run, nothing is pushed and one comment says why', async (_name, step, code) => {
    await open({ steps: [step] });
    const { number, outcomes } = await world.order();
    expect(codesOf(outcomes)).toEqual([code]);
    expect(await world.pulls()).toEqual([]);
    expect(world.git('branch', '--list', 'gatewright/*')).toBe('');
    const said = await world.said(number);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('@alice The work on this has stopped');
    expect(said[0]).toContain('`@claude continue`');
    expect(said.join('')).not.toContain(token);
    expect(await world.labels(number)).toEqual([]);
    expect(listWorkspaces()).toEqual([]);
  });

  const sh = (script: string): object => ({ run: ['sh', '-c', script] });
  const bare =
    'mkdir -p emb/objects emb/refs; echo "ref: refs/heads/x" > emb/HEAD; touch emb/objects/x emb/refs/x; printf "[core]\\n\\tfsmonitor = ./x\\n" > emb/config';

  it.each<[string, object, string, string]>([
    [
      'a link through a link',
      sh('mkdir -p x/y; ln -s ../.. x/y/s; ln -s s/../secret x/y/l'),
      'work-refused',
      'x/y/l',
    ],
    ['an embedded repository', sh(bare), 'work-refused', 'emb'],
    [
      'a pipe where git looks for rules',
      sh('mkdir sub; mkfifo sub/.gitignore'),
      'work-refused',
      'sub/.gitignore',
    ],
    ['a name that is not UTF-8', sh('touch "$(printf \'caf\\351\')"'), 'work-refused', 'caf\\\\xe9'],
    [
      'a path that is too long',
      sh('for i in 1 2 3 4 5 6 7 8; do d=$(printf "%0200d" 0); mkdir $d; cd $d; done; touch x'),
      'work-refused',
      '0000',
    ],
    ['git in capitals', sh('mkdir .GIT; touch .GIT/config'), 'work-refused', '.GIT'],
    ['a file of 300 MB', sh('truncate -s 300M huge.bin'), 'work-refused', 'huge.bin'],
    [
      'a key in a binary file',
      { write: 'data.bin', content: `\0\0${token}\0` },
      'work-has-secret',
      'data.bin',
    ],
  ])('%s stops the run; the rest is kept, nothing more is paid', async (_name, step, code, named) => {
    world = await ImplementerWorld.open([{ steps: [...goodSteps, step] }], {
      GATEWRIGHT_AGENT_COMMANDS: 'sh *',
    });
    const { number, outcomes } = await world.order();
    expect(codesOf(outcomes)).toEqual([code]);
    expect(await world.pulls()).toEqual([]);
    const branch = `gatewright/issue-${number}`;
    expect(world.git('show', `${branch}:src/sum.mjs`)).toBe(fixed.trim());
    expect(world.git('ls-tree', '-r', '--name-only', branch).split('\n')).toEqual([
      'README.md',
      'src/sum.mjs',
      'test/sum.test.mjs',
    ]);
    const [said = '', ...more] = await world.said(number);
    expect(more).toEqual([]);
    expect(said).toContain(named);
    expect(said).toContain(branch);
    expect(said).not.toContain(token);
    expect(listWorkspaces()).toEqual([]);
    expect(await world.entries(number, 'prompt-sent')).toHaveLength(1);
  });

  it('attributes that would change bytes: they are left out, and nothing is changed by them', async () => {
    const attributes = '* working-tree-encoding=UTF-16 eol=crlf ident filter=x\n';
    await open({ steps: [{ write: '.gitattributes', content: attributes }, ...goodSteps] });
    const { outcomes } = await world.order();
    const [pull] = await world.pulls();
    expect(messagesOf(outcomes)[0]).toContain('is carried out');
    expect(pull?.body).toContain('`.gitattributes`');
    expect(world.git('show', `${pull?.head.sha}:src/sum.mjs`)).toBe(fixed.trim());
  });

  it('nothing: what the agent said is put before a person, and the run stops', async () => {
    await open({ steps: [], outcome: done({ summary: 'Which sum is meant?' }) });
    const { number, outcomes } = await world.order();
    expect(codesOf(outcomes)).toEqual(['nothing-changed']);
    expect(outcomes[0]?.outcomes[0]?.status).toBe('blocked');
    const said = await world.said(number);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('> Which sum is meant?');
    expect(await world.pulls()).toEqual([]);
  });
});
