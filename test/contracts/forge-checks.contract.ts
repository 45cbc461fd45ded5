/** The part of the forge contract about what machines say of a commit: statuses, checks, workflow runs, their logs. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Forge, WorkflowRunFilter } from '../../src/ports/forge/forge.ts';
import { expectCode } from './expect-code.ts';
import type { ForgeWorld, SeededRun } from './forge-world.ts';

const logLimit = 64 * 1024;

export function describeForgeChecks(getWorld: () => ForgeWorld): void {
  describe('machines', () => {
    let world: ForgeWorld;
    let forge: Forge;
    let repository: string;
    let sha: string;
    let other: string;

    beforeEach(() => {
      world = getWorld();
      ({ forge, repository } = world);
      sha = world.git.commit('topic', { 'a.txt': 'a\n' });
      other = world.git.commit('topic', { 'b.txt': 'b\n' });
    });

    describe('checks', () => {
      it('shows the newest status of each name, by name', async () => {
        expect(await forge.listChecks(repository, sha)).toEqual([]);
        const writer = world.forgeAs(world.actors.write);
        const set = (name: string, state: 'pending' | 'success' | 'failure', description: string) =>
          writer.setStatus(repository, sha, { name, state, description });
        await set('unit', 'pending', 'Running');
        await set('lint', 'success', 'Clean');
        await world.pause();
        await set('unit', 'failure', '2 of 40 failed');
        await writer.setStatus(repository, sha, {
          name: 'build',
          state: 'pending',
          description: '',
          url: 'https://ci.example.invalid/7',
        });
        expect(await forge.listChecks(repository, sha)).toEqual([
          {
            name: 'build',
            kind: 'status',
            state: 'pending',
            description: '',
            url: 'https://ci.example.invalid/7',
          },
          { name: 'lint', kind: 'status', state: 'success', description: 'Clean', url: '' },
          { name: 'unit', kind: 'status', state: 'failure', description: '2 of 40 failed', url: '' },
        ]);
        await world.pause();
        await set('unit', 'success', 'All passed');
        expect((await forge.listChecks(repository, sha)).map(({ name, state }) => [name, state])).toEqual([
          ['build', 'pending'],
          ['lint', 'success'],
          ['unit', 'success'],
        ]);
        expect(await forge.listChecks(repository, other)).toEqual([]);
      });

      it('shows check runs beside statuses', async () => {
        await forge.setStatus(repository, sha, { name: 'manual', state: 'success', description: 'By hand' });
        await world.seedCheckRun(sha, { name: 'tests', state: 'pending' });
        await world.pause();
        await world.seedCheckRun(sha, { name: 'tests', state: 'failure', description: 'It broke' });
        for (const state of ['neutral', 'skipped', 'cancelled', 'success'] as const)
          await world.seedCheckRun(sha, { name: `is ${state}`, state });
        expect(
          (await forge.listChecks(repository, sha)).map(({ name, kind, state }) => [name, kind, state]),
        ).toEqual([
          ['is cancelled', 'check', 'cancelled'],
          ['is neutral', 'check', 'neutral'],
          ['is skipped', 'check', 'skipped'],
          ['is success', 'check', 'success'],
          ['manual', 'status', 'success'],
          ['tests', 'check', 'failure'],
        ]);
      });

      it('wants a commit that exists and a name', async () => {
        const status = { name: 'ci', state: 'success', description: '' } as const;
        await expectCode(forge.setStatus(repository, 'a'.repeat(40), status), 'forge-not-found');
        for (const name of ['', ' ', 'two\nlines', 'x'.repeat(256)])
          await expectCode(forge.setStatus(repository, sha, { ...status, name }), 'forge-rejected');
        expect(await forge.listChecks(repository, sha)).toEqual([]);
      });
    });

    describe('workflow runs', () => {
      const run = (change: Partial<SeededRun> = {}): SeededRun => ({
        name: 'CI',
        headSha: sha,
        branch: 'topic',
        event: 'push',
        status: 'completed',
        conclusion: 'success',
        ...change,
      });

      it('lists them newest first and narrows by branch, commit, date and result', async () => {
        expect(await forge.listWorkflowRuns(repository)).toEqual([]);
        const one = await world.seedWorkflowRun(run());
        await world.pause();
        const two = await world.seedWorkflowRun(run({ headSha: other, conclusion: 'failure' }));
        await world.pause();
        const three = await world.seedWorkflowRun(
          run({
            name: 'Nightly',
            branch: 'main',
            event: 'schedule',
            status: 'in-progress',
            conclusion: null,
          }),
        );
        const runs = await forge.listWorkflowRuns(repository);
        expect(runs.map(({ id }) => id)).toEqual([three, two, one]);
        expect(runs[0]).toMatchObject({
          name: 'Nightly',
          branch: 'main',
          event: 'schedule',
          status: 'in-progress',
          conclusion: null,
          attempt: 1,
        });
        expect(runs[2]).toMatchObject({
          name: 'CI',
          headSha: sha,
          status: 'completed',
          conclusion: 'success',
        });
        const ids = async (filter: WorkflowRunFilter) =>
          (await forge.listWorkflowRuns(repository, filter)).map(({ id }) => id);
        expect(await ids({ branch: 'topic' })).toEqual([two, one]);
        expect(await ids({ headSha: other })).toEqual([two]);
        expect(await ids({ conclusion: 'failure' })).toEqual([two]);
        expect(await ids({ conclusion: 'success', branch: 'main' })).toEqual([]);
        expect(await ids({ since: runs[1]?.createdAt ?? '' })).toEqual([three, two]);
      });

      it('reads what failed steps printed, and only those', async () => {
        const id = await world.seedWorkflowRun(
          run({
            conclusion: 'failure',
            jobs: [
              {
                name: 'test',
                steps: [
                  { name: 'Install', conclusion: 'success', log: 'added 400 packages\n' },
                  { name: 'Run tests', conclusion: 'failure', log: 'expected 1 to be 2\nExit code 1\n' },
                  { name: 'Upload', conclusion: 'skipped', log: '' },
                ],
              },
              { name: 'lint', steps: [{ name: 'Lint', conclusion: 'success', log: 'clean\n' }] },
            ],
          }),
        );
        const logs = await forge.readFailedLogs(repository, id);
        expect(logs.map(({ job, step }) => [job, step])).toEqual([['test', 'Run tests']]);
        expect(logs[0]?.log).toContain('expected 1 to be 2\nExit code 1');
        expect(logs[0]?.log).not.toContain('packages');
      });

      it('reads the end of a long log', async () => {
        const log = `${'ä🦊 padding\n'.repeat(20_000)}the cause stands last\n`;
        const id = await world.seedWorkflowRun(
          run({
            conclusion: 'failure',
            jobs: [{ name: 'test', steps: [{ name: 'Run tests', conclusion: 'failure', log }] }],
          }),
        );
        const [failed] = await forge.readFailedLogs(repository, id);
        expect(failed?.log.trimEnd().endsWith('the cause stands last')).toBe(true);
        const size = Buffer.byteLength(failed?.log ?? '');
        expect(size).toBeLessThanOrEqual(logLimit);
        expect(size).toBeGreaterThan(logLimit - 100);
        // Cut between characters, not within one.
        expect(failed?.log).not.toContain('\uFFFD');
      });

      it('has nothing to read when nothing failed, and says so when there is no such run', async () => {
        const id = await world.seedWorkflowRun(
          run({ jobs: [{ name: 'test', steps: [{ name: 'Run', conclusion: 'success', log: 'fine\n' }] }] }),
        );
        expect(await forge.readFailedLogs(repository, id)).toEqual([]);
        await expectCode(forge.readFailedLogs(repository, id + 1000), 'forge-not-found');
      });
    });

    describe('comments on commits', () => {
      it('keeps them oldest first, for each commit', async () => {
        const one = await forge.createCommitComment(repository, sha, 'This broke the build.');
        await world.pause();
        const two = await world.forgeAs(world.bot).createCommitComment(repository, sha, 'It was a typo.');
        await forge.createCommitComment(repository, other, 'Elsewhere');
        expect(one).toMatchObject({
          author: world.actors.admin,
          authorKind: 'person',
          body: 'This broke the build.',
          commit: sha,
        });
        expect(two).toMatchObject({ author: world.bot, authorKind: 'bot' });
        expect(one.url).toContain(sha);
        expect(await forge.listCommitComments(repository, sha)).toEqual([one, two]);
        for (const body of ['', ' ', 'one\0two', 'x'.repeat(65_537)])
          await expectCode(forge.createCommitComment(repository, sha, body), 'forge-rejected');
        expect(await forge.listCommitComments(repository, sha)).toHaveLength(2);
      });
    });
  });
}
