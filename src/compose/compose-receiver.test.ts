/** What the receiving thread has read is read again from the inbox in the same way. */
import { createSecretKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { signText } from '../domain/ledger/hash.ts';
import { readDelivery, readDeliveryHeaders } from '../entrypoints/server/webhook/check-delivery.ts';
import { readStored } from './compose-receiver.ts';

const user = { login: 'alice', type: 'User' };
const at = '2026-11-16T10:00:00Z';
const payload = {
  action: 'created',
  issue: { number: 1, title: 'T', body: 'B', user, created_at: at, updated_at: at },
  comment: { id: 5, body: 'Nice. \ud83d\ude00 \u0000', user, created_at: at },
  repository: { full_name: 'acme/old' },
  sender: user,
};

it.each([
  ['as GitHub sends it', JSON.stringify(payload)],
  ['with line ends', JSON.stringify(payload, null, 2)],
  ['with a byte order mark', `\uFEFF${JSON.stringify(payload)}`],
  ['with half a character', JSON.stringify(payload).replace('Nice.', '\\ud800')],
])('a delivery %s', (_, text) => {
  const headers = readDeliveryHeaders({
    'x-hub-signature-256': `sha256=${signText('secret', text)}`,
    ...{ 'x-github-event': 'issue_comment', 'x-github-delivery': 'd', 'content-type': 'application/json' },
  });
  const { payload: first, ...stored } = readDelivery(
    Buffer.from(text),
    headers,
    createSecretKey('secret', 'utf8'),
  );
  const again = readStored(stored, 'acme/now');
  expect(again).toMatchObject({ kind: 'comment-created', repository: 'acme/now', delivery: stored.delivery });
  expect(again).toMatchObject({ text: (first as typeof payload).comment.body });
});

it('an event that this version does not read is no event', () => {
  const stored = { name: 'star', delivery: 'webhook/x', json: Buffer.from('{}') };
  expect(readStored(stored, 'acme/now')).toBeNull();
  expect(readStored({ ...stored, name: 'issue_comment' }, 'acme/now')).toBeNull();
});
