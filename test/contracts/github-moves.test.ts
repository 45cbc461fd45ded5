/** Repositories that were renamed are followed; issues that were transferred or deleted are told apart, and nothing is done elsewhere. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GithubWorld, makeGithubWorld, openForge, tokenOf } from './github-world.ts';

let world: GithubWorld;
beforeEach(async () => {
  world = await makeGithubWorld();
});
afterEach(() => world.server.close());

const moved = { name: 'GatewrightError', code: 'forge-moved' };
const gone = { name: 'GatewrightError', code: 'forge-gone' };

/** An issue, and what became of it in the other repository. */
async function fileAndTransfer(isRenamed = false) {
  const { forge, repository, server, stored } = world;
  const { number } = await forge.createIssue(repository, { title: 'To be moved', body: '', labels: [] });
  const other = server.state.addRepository('acme/other', Object.fromEntries(stored.roles));
  if (isRenamed) server.state.renameRepository(stored, 'acme/renamed');
  const there = server.state.transferIssue(stored, number, other);
  return { number, other, there };
}

describe.each([false, true])(
  'an issue that was transferred, of a repository that was renamed: %s',
  (isRenamed) => {
    it('is told by name and number, and nothing is read or written there', async () => {
      const { number, other, there } = await fileAndTransfer(isRenamed);
      const { forge, repository } = world;
      const words = isRenamed
        ? /was moved: it is acme\/other#1 now/u
        : /acme\/project#1 was moved: it is acme\/other#1 now/u;
      await expect(forge.getIssue(repository, number)).rejects.toMatchObject({
        ...moved,
        message: expect.stringMatching(words),
      });
      await expect(forge.getIssueText(repository, number)).rejects.toMatchObject(moved);
      await expect(forge.listComments(repository, number)).rejects.toMatchObject(moved);
      await expect(forge.listLabelEvents(repository, number)).rejects.toMatchObject(moved);
      await expect(forge.createComment(repository, number, 'Hello')).rejects.toMatchObject(moved);
      await expect(forge.editIssue(repository, number, { addLabels: ['bug'] })).rejects.toMatchObject(moved);
      await expect(forge.editIssue(repository, number, { state: 'closed' })).rejects.toMatchObject(moved);
      expect(there).toMatchObject({ state: 'open', comments: [], labels: [] });
      expect(other.issues).toHaveLength(1);
      expect(
        world.server.requests.filter(({ path }) => path.startsWith(`/repositories/${other.id}/`)),
      ).toEqual([]);
    });
  },
);

it('an issue that was deleted is said to be gone', async () => {
  const { forge, repository, server, stored } = world;
  const { number } = await forge.createIssue(repository, { title: 'To be deleted', body: '', labels: [] });
  server.state.deleteIssue(stored, number);
  await expect(forge.getIssue(repository, number)).rejects.toMatchObject(gone);
  await expect(forge.getIssueText(repository, number)).rejects.toMatchObject(gone);
  await expect(forge.createComment(repository, number, 'Hello')).rejects.toMatchObject(gone);
  expect(await forge.listIssues(repository)).toEqual([]);
});

describe('a repository that was renamed', () => {
  it('is read and written under its former name, on github.com and on GitHub Enterprise Server', async () => {
    const { server, stored, repository, actors } = world;
    server.state.renameRepository(stored, 'acme/renamed');
    for (const base of ['', '/api/v3']) {
      const forge = openForge(`${server.url}${base}`, { kind: 'token', token: tokenOf(actors.admin) });
      const { number } = await forge.createIssue(repository, { title: 'A', body: '', labels: ['bug'] });
      await forge.createComment(repository, number, 'Hello');
      expect((await forge.getIssue(repository, number)).labels).toEqual(['bug']);
      expect(await forge.identify(repository)).toEqual({ id: String(stored.id), name: 'acme/renamed' });
    }
  });

  it('is not mistaken for the one that got its name since', async () => {
    const { server, stored, repository, forge } = world;
    await forge.createIssue(repository, { title: 'A', body: '', labels: [] });
    expect(await forge.identify(repository)).toEqual({ id: String(stored.id), name: repository });
    server.state.renameRepository(stored, 'acme/renamed');
    server.state.renamed.delete(repository);
    const taker = server.state.addRepository(repository, Object.fromEntries(stored.roles));
    await expect(forge.identify(repository)).rejects.toMatchObject(moved);
    await expect(
      forge.createIssue(repository, { title: 'B', body: '', labels: ['bug'] }),
    ).rejects.toMatchObject(moved);
    expect(taker.issues).toEqual([]);
  });
});

it('is not led into a repository that GitHub does not call the same', async () => {
  const { server, forge, repository, stored } = world;
  const other = server.state.addRepository('acme/other', Object.fromEntries(stored.roles));
  server.state.addIssue(other, 'owner', 'Not ours', '', []);
  await forge.createIssue(repository, { title: 'Ours', body: '', labels: [] });
  const elsewhere = `${server.url}/repositories/${other.id}/issues/1`;
  for (const [location, code] of [
    [elsewhere, 'forge-moved'],
    ['https://example.com/issues/1', 'forge-unavailable'],
  ] as const) {
    // A read is tried again.
    for (let tries = 0; tries < 3; tries += 1)
      server.faults.push({
        ...{ method: 'GET', path: /\/repos\/acme\/project\/issues\/1$/u },
        answer: { status: 301, headers: { location } },
      });
    await expect(forge.getIssue(repository, 1)).rejects.toMatchObject({ code });
    server.faults.length = 0;
  }
});
