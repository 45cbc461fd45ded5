/** A remark that GitHub does not take where it was meant must not lose the review that was paid for. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sha256 } from '../../src/domain/ledger/hash.ts';
import { makeForgePerformers } from '../../src/effects/forge-performers.ts';
import { hideMarker } from '../../src/effects/marker.ts';
import type { Transport } from '../../src/ports/transport.ts';
import { actors } from './forge-world.ts';
import { type GithubWorld, makeGithubWorld } from './github-world.ts';
import { openPullRequest } from './open-pull-request.ts';

let world: GithubWorld;
let head: string;
const texts = new Map<string, string>();
const keep = (text: string) => {
  texts.set(sha256(text), text);
  return sha256(text);
};
const marker = 'id.signature';

beforeEach(async () => {
  world = await makeGithubWorld();
  head = (await openPullRequest(world, { branch: 'ready', files: { 'r.txt': 'r\n' } })).head.sha;
});
afterEach(() => world.close());

async function review(...comments: readonly { path: string; line: number; body: string }[]) {
  const performer = makeForgePerformers(world.forge, {} as Transport, {
    getText: async (hash) => texts.get(hash) ?? '',
  })['create-review'];
  const effect = {
    ...{ kind: 'create-review' as const, repository: world.repository, number: 1, commit: head },
    ...{ body: keep('## Issues Found'), author: actors.admin },
    comments: comments.map((one) => ({ ...one, body: keep(one.body) })),
  };
  const attempt = { effect, marker, since: '2020-01-01T00:00:00Z' };
  const result = await performer.perform(attempt);
  expect(await performer.find(attempt)).toEqual(result);
  return result;
}

const pull = () => world.stored.issues[0]?.pull;
const fine = { path: 'r.txt', line: 1, body: 'This fits.' };
const lost = { path: 'r.txt', line: 99, body: 'This does not.' };

it('says in the text what does not fit, and the rest where it belongs', async () => {
  await review(fine, lost, { path: 'other*.txt', line: 3, body: 'Nor this.' });
  expect(pull()?.reviews).toHaveLength(1);
  expect(pull()?.reviewComments.map(({ line, body }) => [line, body])).toEqual([[1, 'This fits.']]);
  const body = pull()?.reviews[0]?.body ?? '';
  expect(body).toContain('## Issues Found');
  expect(body).toContain('**r.txt:99**\n\nThis does not.');
  expect(body).toContain('Nor this.');
  expect(body.trimEnd().endsWith(hideMarker(marker))).toBe(true);
});

it.each([
  'pull_request_review_thread.line must be part of the diff',
  'Line could not be resolved',
  'Path could not be resolved',
  "pull_request_review_thread.diff_hunk can't be blank; diff hunk can't be blank",
])('says all in the text when GitHub refuses what should fit: %s', async (words) => {
  const answer = { status: 422, body: { message: 'Unprocessable Entity', errors: [words] } };
  world.server.faults.push({ method: 'POST', path: /\/reviews$/u, answer });
  await review(fine);
  expect(pull()?.reviews).toHaveLength(1);
  expect(pull()?.reviewComments).toEqual([]);
  expect(pull()?.reviews[0]?.body).toContain('**r.txt:1**\n\nThis fits.');
});

it('cuts what is too long, and keeps the mark', async () => {
  await review({ ...lost, body: 'x'.repeat(65_000) }, { ...lost, line: 98, body: 'y'.repeat(65_000) });
  const body = pull()?.reviews[0]?.body ?? '';
  expect(body.length).toBeLessThanOrEqual(65_536);
  expect(body).toContain('too long to be shown');
  expect(body.trimEnd().endsWith(hideMarker(marker))).toBe(true);
});
