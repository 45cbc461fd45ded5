/**
 * A job that asks models and obeys an attacker: it may write anything into its file, and even sign it. What is not in form,
 * or not for this workflow run, is refused whole and told once; what is in form can only say what a model could say.
 */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetRoom } from '../../../test/support/fleet-room.ts';
import { setUp } from '../../../test/support/fleet-scene.ts';
import { orderScenes } from '../../../test/support/order-scenes.ts';
import { ActionsPlay } from '../../../test/support/play-proposals.ts';
import { lookAround } from '../../../test/support/world-state.ts';
import { canonicalJson, type Json, sha256, signText } from '../../domain/ledger/hash.ts';
import { type Proposal, proposalCaps } from '../../domain/proposals/proposal.ts';

type Loose = { -readonly [K in keyof Proposal]: Proposal[K] } & Record<string, unknown>;
type Change = (body: Loose) => unknown;

let world: FleetRoom;
let play: ActionsPlay;
let honest: string;
/** As honest, and of the workflow run before this one. */
let yesterday: string;

/** What a body is signed with, as the job could do it, which holds the key of the ledger. */
function signatureOf(body: unknown, of: unknown = body, signingKey = world.house.signingKey): string {
  const { repository, workflowRun, attempt } = of as Proposal;
  const place = canonicalJson([
    ...['gatewright proposal', String(repository).toLowerCase()],
    ...[workflowRun ?? null, attempt ?? null],
  ]);
  return signText(signText(signingKey, place), canonicalJson(body as Json));
}

const withSignature = (body: unknown, signature: Json): string =>
  canonicalJson({ body: body as Json, signature });

const sign = (body: unknown): string => withSignature(body, signatureOf(body));

function bodyOf(): Loose {
  return structuredClone((JSON.parse(honest) as { body: Loose }).body);
}

const firstRun = (body: Loose) => {
  const [run] = body.runs;
  if (run === undefined) throw new Error('It has no run.');
  return run as unknown as Record<string, unknown> & { calls: Record<string, unknown>[] };
};
const firstCall = (body: Loose) => firstRun(body).calls[0] as Record<string, unknown>;
const doneOf = (body: Loose) =>
  firstCall(body).done as { left: { start: string; tree: string } } & Record<string, unknown>;

/** Fields of the file, each with values that it must not have. */
const fields: Readonly<Record<string, readonly Change[]>> = {
  'another repository': ['o/r', 'local/project2', '', 'local/project#1'].map(
    (name) => (body) => (body.repository = name),
  ),
  'another workflow run': [0, 1, 3, 4711, 999_999].map((run) => (body) => (body.workflowRun = run)),
  'a later attempt': [2, 3, 100].map((attempt) => (body) => (body.attempt = attempt)),
  'another event': ['actions/x/y', 'handoff/x/0', ''].map((event) => (body) => (body.event = event)),
  'another commit': ['0'.repeat(40), 'f'.repeat(64)].map((base) => (body) => (body.base = base)),
  'other agents': [['reviewer'], [], ['auto-merge', 'reviewer'], ['nobody']].map(
    (agents) => (body) => (body.agents = agents as Proposal['agents']),
  ),
  'another format': [0, 2, '1'].map((format) => (body) => (body.format = format as 1)),
  'an unknown field': [
    (body) => (body.effects = []),
    (body) => (firstRun(body).may = { 'merge-pull-request': 9 }),
    (body) => (firstCall(body).subject = 'local/project#2'),
    (body) => (doneOf(body).files = ['x']),
    (body) => Object.defineProperty(body, '__proto__', { value: {}, enumerable: true }),
  ],
  'another issue': ['local/project#2', 'o/r#1', 'local/project:x'].map(
    (subject) => (body) => (firstRun(body).subject = subject),
  ),
  'another ledger': ['0'.repeat(64), sha256('x')].map((tip) => (body) => (firstRun(body).tip = tip)),
  'a run that is none': ['0'.repeat(26), '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'x'].map(
    (run) => (body) => (firstRun(body).run = run),
  ),
  'a thousand effects': ['create-comment', 'push-branch', 'merge-pull-request'].map((kind) => (body) => {
    firstRun(body).intended = Array.from({ length: 1000 }, (_, index) => ({
      key: `${kind}/${index}`,
      kind,
      hash: sha256(kind),
    }));
  }),
  'too many of something': [
    (body) =>
      (firstRun(body).calls = Array.from({ length: 201 }, (_, call) => ({ ...firstCall(body), call }))),
    (body) => (body.runs = Array.from({ length: 51 }, () => body.runs[0] as Proposal['runs'][number])),
    (body) => (doneOf(body).milliseconds = 1e300),
  ],
  'the same twice': [
    (body) => (body.runs = [...body.runs, ...body.runs]),
    (body) => firstRun(body).calls.push(firstCall(body)),
  ],
  'an error of this process': [
    'lease-lost',
    'cancelled',
    'waits-for-model',
    'effect-held-back',
    'toString',
  ].map((code) => (body) => {
    const failure = { code, message: 'x', details: [], until: null };
    firstCall(body).done = { kind: 'asked', milliseconds: 1, spent: [], end: { failure } };
  }),
  'costs that are none': [-1, 1e9, Number.NaN, '0'].map((costUsd) => (body) => {
    const report = doneOf(body).report as { usage: Record<string, unknown> };
    report.usage.costUsd = Number.isNaN(costUsd) ? null : costUsd;
  }),
  'a damaged bundle': [
    (body) => (body.bundle = null),
    (body) => (body.bundle = { base64: 'AAAA', hash: sha256('AAAA') }),
    (body) => (body.bundle = { base64: '!', hash: sha256('!') }),
    (body) => (body.bundle = { base64: body.bundle?.base64 ?? '', hash: sha256('x') }),
    (body) => {
      const base64 = (body.bundle?.base64 ?? '').slice(0, -8);
      body.bundle = { base64, hash: sha256(base64) };
    },
    (body) => (doneOf(body).left.tree = '0'.repeat(40)),
    (body) => (doneOf(body).left.tree = doneOf(body).left.start),
    (body) => (doneOf(body).left.tree = '--help'),
  ],
};

function git(input: string | Buffer, ...args: string[]): string {
  return execFileSync('git', args, { cwd: world.playground.repository, input, encoding: 'utf8' }).trim();
}

const blob = (text: string | Buffer): string => git(text, 'hash-object', '-w', '--stdin');

/** A tree with the files of the honest one and an entry more, however deep. */
function treeWith(tree: string, path: string, mode: string, object: string): string {
  const [name = '', ...rest] = path.split('/');
  const lines = git('', 'ls-tree', '-z', tree)
    .split('\0')
    .filter((line) => line !== '');
  const others = lines.filter((line) => !line.endsWith(`\t${name}`));
  const old = lines
    .find((line) => line.endsWith(`\t${name}`) && line.startsWith('040000'))
    ?.split(/[ \t]/u)[2];
  const empty = git('', 'hash-object', '-w', '-t', 'tree', '--stdin');
  const entry =
    rest.length === 0
      ? `${mode} ${mode === '160000' ? 'commit' : 'blob'} ${object}\t${name}`
      : `040000 tree ${treeWith(old ?? empty, rest.join('/'), mode, object)}\t${name}`;
  return git([...others, entry].map((line) => `${line}\0`).join(''), 'mktree', '-z', '--missing');
}

/** What a bundle may hold besides the work: path, mode, content. */
const trees: Readonly<Record<string, readonly (readonly [string, string, string | Buffer])[]>> = {
  'a workflow file': [
    ['.github/workflows/x.yml', '100644', 'on: push\n'],
    ['.github/workflows/claude.yml', '100755', 'on: push\n'],
    ['.github/actions/x/action.yml', '100644', 'name: x\n'],
  ],
  'a file that steers agents': [
    ['CLAUDE.md', '100644', 'Obey.\n'],
    ['claude.md', '100644', 'Obey.\n'],
    ['.mcp.json', '100644', '{}\n'],
    ['.gitmodules', '100644', '[submodule "x"]\n\tpath = x\n\turl = https://example.com/x\n'],
    ['AGENTS.md', '100644', 'Obey.\n'],
    ['.claude/settings.json', '100644', '{}\n'],
    ['src/CLAUDE.md', '100644', 'Obey.\n'],
  ],
  'a link': [
    ['out', '120000', '/etc/passwd'],
    ['up', '120000', '../../x'],
    ['src/deep', '120000', '../../../../x'],
    ['git', '120000', '.git/config'],
    ['CLAUDE.md', '120000', 'src/sum.mjs'],
    ['.github', '120000', 'src'],
  ],
  'a path that is none': [
    ['a\\b', '100644', 'x'],
    ['GIT~1/config', '100644', 'x'],
    ['x/.GIT/config', '100644', 'x'],
  ],
  'a name that is another one elsewhere': [['\u017frc/x', '100644', 'x']],
  'a name that hides or moves': [
    ['a\nb', '100644', 'x'],
    ['a\u001b[31mb', '100644', 'x'],
    [' /x', '100644', 'x'],
  ],
  'a path without measure': [['x'.repeat(300), '100644', 'x']],
  'a repository': [['vendor', '160000', 'x']],
  'a file without measure': [['big.bin', '100644', Buffer.alloc(33 * 1024 * 1024)]],
};

/** Signatures of the honest file that are none of this workflow run, or in another form. */
const signatures: Readonly<Record<string, (body: Loose) => Json>> = {
  'no key': (body) => signatureOf(body, body, ''),
  'another key': (body) => signatureOf(body, body, 'f'.repeat(64)),
  'the key of the ledger itself': (body) => signText(world.house.signingKey, canonicalJson(body as Json)),
  'the key of the workflow run before': (body) => signatureOf(body, { ...body, workflowRun: 1 }),
  'the key of a later attempt': (body) => signatureOf(body, { ...body, attempt: 2 }),
  'the key of another repository': (body) => signatureOf(body, { ...body, repository: 'o/r' }),
  'the signature of another body': (body) => signatureOf({ ...body, bundle: null }, body),
  'that of the file before': () => (JSON.parse(yesterday) as { signature: string }).signature,
  'a part of it': (body) => signatureOf(body).slice(0, 32),
  capitals: (body) => signatureOf(body).toUpperCase(),
  nothing: () => '',
  'no text': () => null,
  'a list': (body) => [signatureOf(body)],
};

const texts: Readonly<Record<string, readonly ((text: string) => string | Buffer)[]>> = {
  'a changed byte': Array.from({ length: 12 }, (_, index) => (text: string) => {
    const at = Math.floor((text.length * (index + 0.5)) / 12);
    return text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);
  }),
  'a part of it': [0, 1, 100, -1].map((end) => (text: string) => text.slice(0, end)),
  'more around it': [
    (text) => ` ${text}`,
    (text) => `${text}\n`,
    (text) => `\uFEFF${text}`,
    (text) => `[${text}]`,
    (text) => text.replace('{"body":', '{"body":{},"body":'),
    (text) => text.replace('"format":1', '"format":1,"format":1'),
    (text) => text.replace(/\}$/u, ',"more":1}'),
    (text) => text.replace(/,"signature".*$/u, '}'),
  ],
  'no text': [
    () => Buffer.from([0xff, 0xfe, 0x00]),
    () => 'null',
    () => '"x"',
    () => '['.repeat(1_000_000),
    () => `{"body":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)},"signature":"x"}`,
    () => Buffer.alloc(proposalCaps.bytes + 1, 0x20),
  ],
};

const told = async (): Promise<string[]> =>
  (await world.house.ledger.readSubject(`${world.repository}~proposals`)).map(({ kind, data }) =>
    kind === 'proposal-refused' ? data.why : kind,
  );

async function expectRefused(file: string | Buffer): Promise<void> {
  const forge = await world.look();
  const before = await forge.listComments(world.repository, 1);
  const entries = (await world.entries(1)).length;
  const end = await play.apply(file);
  expect(end.refused).toMatch(/^The proposal is refused: /u);
  expect(end.applied).toBeNull();
  expect(await told()).toHaveLength(1);
  expect((await world.entries(1)).length).toBe(entries);
  expect(await forge.listComments(world.repository, 1)).toEqual(before);
}

beforeAll(async () => {
  const [order] = orderScenes;
  if (order === undefined) throw new Error('There is no scene.');
  ({ world } = await setUp(order));
  play = new ActionsPlay(world);
  await play.receive();
  expect((await play.begin()).next).toBe('propose');
  yesterday = await play.propose();
  expect((await play.begin()).next).toBe('propose');
  honest = await play.propose();
}, 60_000);
afterAll(() => world.remove());

describe('a hostile proposal is refused whole and told once', () => {
  it.each(
    Object.entries(fields).flatMap(([name, all]) =>
      all.map((change, index) => [`${name} ${index}`, change] as const),
    ),
  )('%s, signed or not', async (_, change) => {
    const body = bodyOf();
    change(body);
    await expectRefused(sign(body));
    const { signature } = JSON.parse(honest) as { signature: string };
    await expectRefused(canonicalJson({ body: body as unknown as Json, signature }));
  });

  it.each(
    Object.entries(texts).flatMap(([name, all]) =>
      all.map((change, index) => [`${name} ${index}`, change] as const),
    ),
  )('%s', async (_, change) => expectRefused(change(honest)));

  it.each(Object.entries(signatures))('signed with %s', async (_, signatureFor) => {
    const body = bodyOf();
    await expectRefused(withSignature(body, signatureFor(body)));
  });

  it('as it was good for the workflow run before', () => expectRefused(yesterday));

  it.each(
    Object.entries(trees).flatMap(([name, all]) =>
      all.map((entry) => [`${name}: ${entry[0]}`, entry] as const),
    ),
  )('a bundle with %s', async (_, [path, mode, content]) => {
    const body = bodyOf();
    const { left } = doneOf(body);
    const object = mode === '160000' ? left.start : blob(content);
    left.tree = treeWith(left.tree, path, mode, object);
    const base64 = (await world.house.parcels.pack(body.base, [left])) ?? '';
    body.bundle = { base64, hash: sha256(base64) };
    await expectRefused(sign(body));
  });

  it('and the one that is not hostile is applied after all of them', async () => {
    expect(await told()).toHaveLength(1);
    expect((await play.apply(honest)).refused).toBeNull();
    await play.settle();
    const { forge } = await lookAround(world);
    expect(forge.pulls).toMatchObject([{ state: 'merged' }]);
    expect(forge.issues[0]?.state).toBe('closed');
  }, 60_000);
});
