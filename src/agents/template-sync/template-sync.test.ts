/** What changes in a template comes over in one pull request; what does not fit is named and left. */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FleetWorld } from '../../../test/support/fleet-world.ts';
import { TemplateWorld } from '../../../test/support/template-world.ts';

const lines = (...changed: readonly [number, string][]): string =>
  Array.from(
    { length: 9 },
    (_, at) => `${changed.find(([line]) => line === at)?.[1] ?? `line ${at}`}\n`,
  ).join('');

let place: TemplateWorld | undefined;
afterEach(() => place?.remove());

async function open(...given: Parameters<typeof TemplateWorld.open>): Promise<TemplateWorld> {
  place = await TemplateWorld.open(...given);
  return place;
}

/** A repository that has taken over the template once. */
async function openSynced(ours: Readonly<Record<string, string>> = {}): Promise<TemplateWorld> {
  const here = await open(
    { 'a.txt': lines(), 'b.txt': 'b\n', '.github/ci.yml': 'on: push\n' },
    { 'x.txt': 'x\n', ...ours },
  );
  expect(await here.sync()).toMatch(/^#1 brings the template up to [0-9a-f]{12}$/u);
  await merge(here, 1);
  return here;
}

async function merge(here: TemplateWorld, number: number): Promise<void> {
  const { world } = here;
  const alice = await world.as('alice');
  const { head } = await alice.getPullRequest(world.repository, number);
  await alice.mergePullRequest(world.repository, number, { head: head.sha, title: 'Sync', body: '' });
}

describe('template-sync', () => {
  it('does nothing without a template, and says when one cannot be had', async () => {
    const plain = await FleetWorld.open();
    const due = (world: FleetWorld) => world.event('schedule-due', { schedule: 'template-sync' });
    const [first] = await plain.deliver(due(plain));
    expect(first?.outcomes[0]?.reason.message).toBe('no template is set');
    const gone = await plain.reopen({ GATEWRIGHT_TEMPLATE: '/nowhere/at/all' });
    const [second] = await gone.deliver(due(gone));
    expect(second?.outcomes[0]).toMatchObject({
      status: 'blocked',
      reason: { code: 'template-unreachable' },
    });
    plain.remove();
  });

  it('the first time proposes all that differs, removes nothing, and always wants a person', async () => {
    const here = await open(
      { 'README.md': '# Template\n', '.github/ci.yml': 'on: push\n', 'same.txt': 'same\n' },
      { 'same.txt': 'same\n', 'own.txt': 'own\n' },
    );
    await here.sync();
    const [pull] = await here.pulls();
    expect(pull?.labels).toEqual(['template_sync', 'needs-review']);
    expect(here.changes(pull?.head.sha ?? '')).toEqual({
      'README.md': '# Template\n',
      '.github/ci.yml': 'on: push\n',
    });
    expect(pull?.body).toContain('- `.github/ci.yml`');
    expect(here.world.playground.git('status', '--porcelain')).toBe('');
    expect(await here.sync()).toMatch(/^#1 brings the template up to .* and is open$/u);
    expect(await here.pulls()).toHaveLength(1);
  });

  it('afterwards brings what changed since, merged with what was changed here', async () => {
    const here = await openSynced();
    expect(await here.sync()).toBe('nothing to bring over from the template');
    here.commitHere({ 'a.txt': lines([8, 'ours']), 'x.txt': 'y\n' });
    here.commit({ 'a.txt': lines([0, 'theirs']), 'b.txt': null, 'c/d.txt': 'new\n' });
    expect(await here.sync()).toMatch(/^#2 brings/u);
    const [pull] = await here.pulls();
    expect(here.changes(pull?.head.sha ?? '')).toEqual({
      'a.txt': lines([0, 'theirs'], [8, 'ours']),
      'b.txt': null,
      'c/d.txt': 'new\n',
    });
    expect(pull?.body).toContain('## Merged with changes made here');
  });

  it('says in an issue that nothing fits, once for each commit of the template', async () => {
    const here = await openSynced();
    const alice = await here.world.as('alice');
    const issues = () => alice.listIssues(here.world.repository, { state: 'all' });
    here.commitHere({ 'a.txt': lines([4, 'ours']) });
    here.commit({ 'a.txt': lines([4, 'theirs']) });
    const before = (await here.pulls()).length;
    expect(await here.sync()).toMatch(/1 file is in conflict; told in #\d+$/u);
    expect(await here.sync()).toMatch(/1 file is in conflict, which was told before$/u);
    const [issue, ...more] = await issues();
    expect(more).toEqual([]);
    expect(issue?.labels).toEqual(['template_sync', 'conflict']);
    expect(issue?.body).toContain('- `a.txt`');
    // While it is open, the next one is told of there.
    here.commit({ 'a.txt': lines([4, 'theirs, again']) });
    for (const _ of [1, 2]) await here.sync();
    expect(await issues()).toHaveLength(1);
    expect(await alice.listComments(here.world.repository, issue?.number ?? 0)).toHaveLength(1);
    expect(await here.pulls()).toHaveLength(before);
  });

  it('leaves out what is in conflict, says so, and labels it', async () => {
    const here = await openSynced();
    here.commitHere({ 'a.txt': lines([4, 'ours']), 'b.txt': null, '.github/ci.yml': 'on: never\n' });
    here.commit({ 'a.txt': lines([4, 'theirs']), 'b.txt': 'bb\n', '.github/ci.yml': null, 'c.txt': 'c\n' });
    expect(await here.sync()).toContain('2 files are in conflict and were left out');
    const [pull] = await here.pulls();
    expect(pull?.labels).toEqual(['template_sync', 'needs-review', 'conflict']);
    expect(here.changes(pull?.head.sha ?? '')).toEqual({ 'c.txt': 'c\n' });
    expect(pull?.body).toMatch(/## Conflicts\n\n.*\n\n- `\.github\/ci\.yml`\n- `a\.txt`\n\n/u);
    expect(pull?.body).toContain('## Removed here, changed in the template');
    const all = here.world.playground.git(
      'grep',
      '-c',
      '-e',
      '<<<<<<<',
      '-e',
      'line 0',
      pull?.head.sha ?? '',
    );
    expect(all).toBe(`${pull?.head.sha}:a.txt:1`);
  });

  it('honours .templatesyncignore, which itself is never brought over', async () => {
    const here = await open(
      { 'docs/a.md': 'a\n', 'docs/b.md': 'b\n', 'c.txt': 'c\n', '.templatesyncignore': 'nothing\n' },
      { '.templatesyncignore': 'docs/\n:!docs/b.md\n' },
    );
    await here.sync();
    const [pull] = await here.pulls();
    expect(here.changes(pull?.head.sha ?? '')).toEqual({ 'docs/b.md': 'b\n', 'c.txt': 'c\n' });
  });

  it('brings an open pull request up to date, and drops the label once nothing is in conflict', async () => {
    const here = await openSynced();
    here.commitHere({ 'a.txt': lines([4, 'ours']) });
    here.commit({ 'a.txt': lines([4, 'theirs']), 'c.txt': 'c\n' });
    await here.sync();
    expect((await here.pulls())[0]?.labels).toContain('conflict');
    // The conflict is settled in the template, and the base moves on under the pull request.
    const newest = here.commit({ 'a.txt': lines([4, 'ours'], [0, 'new']), 'd.txt': 'd\n' });
    here.commitHere({ 'c.txt': 'another\n' });
    expect(await here.sync()).toBe(
      `#2 now brings the template up to ${newest.slice(0, 12)}; 1 file is in conflict and was left out`,
    );
    here.commitHere({ 'c.txt': null });
    const last = here.commit({ 'c.txt': 'cc\n', 'b.txt': 'bbb\n' });
    expect(await here.sync()).toBe(`#2 now brings the template up to ${last.slice(0, 12)}`);
    const [pull, ...others] = await here.pulls();
    expect(others).toHaveLength(1);
    expect(pull?.labels).toEqual(['template_sync', 'needs-review']);
    expect(Object.keys(here.changes(pull?.head.sha ?? ''))).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
    const comments = await (await here.world.as('alice')).listComments(here.world.repository, 2);
    expect(comments).toHaveLength(2);
  });

  it('leaves a pull request to whoever works on it, with the label when it does not fit any more', async () => {
    const here = await openSynced();
    here.commit({ 'a.txt': lines([4, 'theirs']) });
    await here.sync();
    const [pull] = await here.pulls();
    const { playground } = here.world;
    playground.git('checkout', '--quiet', pull?.head.branch ?? '');
    here.commitHere({ 'e.txt': 'by hand\n' });
    playground.git('checkout', '--quiet', 'main');
    here.commitHere({ 'a.txt': lines([4, 'ours']) });
    const head = playground.git('rev-parse', pull?.head.branch ?? '');
    expect(await here.sync()).toBe(
      '#2 was changed by another person or program and does not fit its base; it is left to them',
    );
    const [now] = await here.pulls();
    expect(now?.labels).toContain('conflict');
    expect(now?.head.sha).toBe(head);
  });

  it('puts a pull request of ours onto a base that moved under it', async () => {
    const here = await openSynced();
    here.commit({ 'a.txt': lines([4, 'theirs']), 'c.txt': 'c\n' });
    await here.sync();
    here.commitHere({ 'a.txt': lines([4, 'ours']) });
    expect(await here.sync()).toContain('; 1 file is in conflict and was left out');
    const { world } = here;
    const pull = await (await world.as('alice')).getPullRequest(world.repository, 2);
    expect(pull.mergeable).toBe('clean');
    expect(pull.labels).toEqual(['template_sync', 'needs-review', 'conflict']);
    expect(here.changes(pull.head.sha)).toEqual({ 'c.txt': 'c\n' });
    expect(await here.sync()).toMatch(/and is open$/u);
  });

  it('takes closing a pull request for a no', async () => {
    const here = await openSynced();
    here.commit({ 'b.txt': 'not wanted\n' });
    await here.sync();
    await (await here.world.as('alice')).editPullRequest(here.world.repository, 2, { state: 'closed' });
    expect(await here.sync()).toBe('nothing to bring over from the template');
    here.commit({ 'c.txt': 'wanted\n' });
    expect(await here.sync()).toMatch(/^#3 brings/u);
    const [pull] = await here.pulls();
    expect(here.changes(pull?.head.sha ?? '')).toEqual({ 'c.txt': 'wanted\n' });
  });

  it('takes in nothing that leads out, and runs nothing', async () => {
    const here = await open({ 'ok.txt': 'ok\n' }, {});
    const canary = join(here.folder, 'canary');
    const run = `#!/bin/sh\ntouch ${canary}\n`;
    for (const name of ['post-checkout', 'pre-receive', 'reference-transaction', 'post-index-change'])
      writeFileSync(join(here.folder, '.git', 'hooks', name), run, { mode: 0o755 });
    writeFileSync(join(here.folder, 'run.sh'), run, { mode: 0o755 });
    for (const setting of [
      'uploadpack.packObjectsHook',
      'core.fsmonitor',
      'filter.x.smudge',
      'merge.x.driver',
    ])
      here.git('config', setting, join(here.folder, 'run.sh'));
    symlinkSync('/etc/passwd', join(here.folder, 'absolute'));
    symlinkSync('../../outside', join(here.folder, 'upwards'));
    symlinkSync('.git/config', join(here.folder, 'inwards'));
    symlinkSync('ok.txt', join(here.folder, 'fine'));
    rmSync(canary, { force: true });
    const env = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
    writeFileSync(join(here.folder, '.gitattributes'), '* filter=x merge=x diff=x\n');
    here.git(...env, 'add', '--all');
    here.git(...env, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},nested`);
    here.git(...env, 'commit', '--quiet', '--message', 'Hostile');
    // Git would not add such a name; a tree can hold it all the same.
    const blob = here.git('rev-parse', 'HEAD:ok.txt');
    const inner = here.mktree(`100644 blob ${blob}\tconfig\n`);
    const listed = here.git('ls-tree', 'HEAD');
    const tree = here.mktree(`${listed}\n040000 tree ${inner}\t.GIT\n100644 blob ${blob}\ta\u200bb\n`);
    here.git(...env, 'reset', '--soft', here.git('commit-tree', '-p', 'HEAD', '-m', 'Names', tree));
    expect(await here.sync()).toMatch(/^#1 brings/u);
    const [pull] = await here.pulls();
    const files = here.world.playground.git('ls-tree', '-r', '--name-only', pull?.head.sha ?? '').split('\n');
    expect(files).toEqual(['.gitattributes', 'README.md', 'fine', 'ok.txt', 'run.sh']);
    for (const name of ['absolute', 'upwards', 'inwards', 'nested', '.GIT/config'])
      expect(pull?.body).toContain(`- \`${name}\``);
    expect(existsSync(canary)).toBe(false);
    expect(here.world.playground.git('status', '--porcelain')).toBe('');
  });

  it('takes in no link that only among our files leads through another', async () => {
    const here = await open({ 'd/x/f.txt': 'f\n', 'ok.txt': 'ok\n' }, { 'ours.txt': 'o\n' });
    const { playground } = here.world;
    mkdirSync(join(playground.repository, 'd'));
    symlinkSync('../ours.txt', join(playground.repository, 'd', 'x'));
    playground.git('add', '--all');
    playground.git('commit', '--quiet', '--message', 'Ours');
    symlinkSync('d/x/../x/f.txt', join(here.folder, 'fine-there'));
    here.git('add', '--all');
    here.git('commit', '--quiet', '--message', 'A link');
    expect(await here.sync()).toMatch(/^#1 brings/u);
    const [pull] = await here.pulls();
    const files = playground.git('ls-tree', '-r', '--name-only', pull?.head.sha ?? '').split('\n');
    expect(files).not.toContain('fine-there');
    expect(files).toContain('ok.txt');
    expect(pull?.body).toContain('- `fine-there`');
  });
});
