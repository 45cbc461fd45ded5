/** The GitHub adapter passes the forge contract over HTTP; and what is particular to GitHub. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectCode } from './expect-code.ts';
import { describeForge } from './forge.contract.ts';
import { type GithubWorld, makeGithubWorld } from './github-world.ts';

describeForge('GithubForge', makeGithubWorld);

describe('GithubForge', () => {
  let world: GithubWorld;
  const plain = { title: 'A title', body: 'A body', labels: [] };

  beforeEach(async () => {
    world = await makeGithubWorld();
  });
  afterEach(() => world.close());

  it('turns all pages of issues, comments and labels', async () => {
    const { forge, repository, server } = world;
    const stored = server.state.repositories.get(repository);
    if (stored === undefined) throw new Error('no repository');
    for (let index = 1; index <= 10; index += 1) {
      server.state.addIssue(stored, 'reader', `Issue ${index}`, '', [`label-${index}`]);
      server.state.addComment(stored.issues[0] as never, 'reader', `Comment ${index}`);
    }
    expect((await forge.listIssues(repository)).map((issue) => issue.number)).toEqual([
      10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
    expect(await forge.listComments(repository, 1)).toHaveLength(10);
    expect(await forge.listLabels(repository)).toHaveLength(10);
    expect(
      await forge.ensureLabel(repository, { name: 'LABEL-10', colour: 'ededed', description: '' }),
    ).toEqual({ created: false });
    expect(server.requests.some((request) => request.path.startsWith('/search'))).toBe(false);
  });

  it('stops turning pages at the first issue that is too old', async () => {
    const { forge, repository, server } = world;
    for (let index = 0; index < 9; index += 1) await forge.createIssue(repository, plain);
    server.state.advance(60_000);
    const { createdAt } = await forge.createIssue(repository, plain);
    // All of them changed just now, which is what GitHub's own filter looks at.
    for (let number = 1; number <= 9; number += 1) await forge.editIssue(repository, number, { body: 'x' });
    server.requests.length = 0;
    expect(await forge.listIssues(repository, { since: createdAt })).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  it('lets no name lead elsewhere', async () => {
    const { forge, repository, server } = world;
    const { number } = await forge.createIssue(repository, { ...plain, labels: ['one', 'two'] });
    server.requests.length = 0;
    for (const name of ['acme/..', '../project', 'acme/project/issues', 'acme/project?x', 'acme'])
      await expectCode(forge.createIssue(name, plain), 'forge-not-found');
    for (const label of ['.', '..'])
      await expectCode(forge.editIssue(repository, number, { removeLabels: [label] }), 'label-invalid');
    expect(server.requests).toEqual([]);
    expect(await forge.permissionOf(repository, '../../../user')).toBe('none');
    expect(await forge.permissionOf(repository, 'unheard-of')).toBe('none');
    const odd = 'a/b?c#d %2e';
    await forge.editIssue(repository, number, { addLabels: [odd] });
    expect((await forge.editIssue(repository, number, { removeLabels: [odd] })).labels).toEqual([
      'one',
      'two',
    ]);
  });

  it('follows a repository that was renamed, and writes there once', async () => {
    const { forge, server, stored } = world;
    server.state.renamed.set('acme/former', world.repository);
    for (let index = 0; index < 4; index += 1) await forge.createIssue('acme/former', plain);
    expect(stored.issues).toHaveLength(4);
    expect(await forge.listIssues('acme/former')).toHaveLength(4);
    expect(await forge.listIssues('acme/former')).toEqual(await forge.listIssues(world.repository));
    expect(await forge.editIssue('acme/former', 1, { state: 'closed' })).toMatchObject({ state: 'closed' });
  });

  it('is not taken in by a page that is not GitHub', async () => {
    const { forge, repository, server } = world;
    server.faults.push({
      path: /issues/u,
      answer: { status: 200, body: { welcome: 'Please log in' }, deviates: 'a proxy' },
    });
    await expectCode(forge.getIssue(repository, 1), 'forge-unavailable');
  });
});
