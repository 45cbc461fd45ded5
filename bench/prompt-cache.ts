/**
 * What the drafter's input costs over a first draft and five revisions, with the provider's prompt cache, against the
 * naive way: one fresh prompt for each revision with the same facts, nothing cached. The program itself makes the
 * requests, with the real SDK; a provider on loopback keeps what arrives. What that provider would charge is computed
 * from those bodies by Anthropic's rules; no model is asked.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { makeAiSdkModel } from '../src/adapters/ai-sdk/ai-sdk-model.ts';
import { makePriceCatalogue } from '../src/adapters/prices/price-catalogue.ts';
import { systemClock } from '../src/adapters/system/system-clock.ts';
import { costOf } from '../src/domain/models/model-price.ts';
import { noCredentialLimits } from '../src/ports/credential-limits.ts';
import type { Message, Model } from '../src/ports/model.ts';
import { answerWith, ScriptedProvider } from '../test/support/scripted-provider.ts';
import type { Row } from './measure.ts';
import { benchFolder, packageFolder, programFile } from './published-package.ts';

const run = promisify(execFile);
const revisions = 5;
const modelName = 'claude-sonnet-4-5';
const brief = 'ideas/active/export-reports-as-csv.md';
const playground = join(benchFolder, 'prompt-cache');

/** Good enough for both sides of a ratio. */
const bytesPerToken = 4;
/** Shorter beginnings are not cached by this model, and a hit is looked for this many blocks back from a mark. */
const prices = await makePriceCatalogue()();

const shortestCached = 1024;
const blocksLookedBack = 20;

const blockSchema = z.object({ text: z.string(), cache_control: z.object({ type: z.string() }).optional() });
const bodySchema = z.object({
  system: z.union([z.string().transform((text) => [{ text }]), z.array(blockSchema)]),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.union([z.string().transform((text) => [{ text }]), z.array(blockSchema)]),
    }),
  ),
});

interface Block {
  readonly text: string;
  readonly isMarked: boolean;
}

/** What a provider reads of a request, in the order in which it reads it. */
function blocksOf(body: string): Block[] {
  const { system, messages } = bodySchema.parse(JSON.parse(body));
  return [...system, ...messages.flatMap((message) => message.content)].map((block) => ({
    text: block.text,
    isMarked: 'cache_control' in block && block.cache_control !== undefined,
  }));
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
const tokensOf = (blocks: readonly Block[]): number =>
  Math.round(blocks.reduce((sum, block) => sum + bytesOf(block.text), 0) / bytesPerToken);

function hashOf(blocks: readonly Block[]): string {
  return createHash('sha256')
    .update(JSON.stringify(blocks.map((block) => block.text)))
    .digest('hex');
}

interface Sum {
  readonly cents: number;
  readonly bytes: number;
  /** Bytes with which a request began exactly as the one before it. */
  readonly sameBytes: number;
}

/** What the requests of one conversation cost, one after the other. */
function priceOf(bodies: readonly string[]): Sum {
  const cached = new Set<string>();
  let usd = 0;
  let bytes = 0;
  let sameBytes = 0;
  let before: readonly Block[] = [];
  for (const body of bodies) {
    const blocks = blocksOf(body);
    const marks = [...blocks.keys()].filter((index) => blocks[index]?.isMarked === true);
    if (marks.length > 4) throw new Error(`${marks.length} marks; Anthropic takes four.`);
    const hits = marks.flatMap((mark) =>
      Array.from({ length: blocksLookedBack + 1 }, (_, back) => mark - back + 1).filter(
        (end) => end > 0 && cached.has(hashOf(blocks.slice(0, end))),
      ),
    );
    const read = Math.max(0, ...hits);
    const written = Math.max(read, ...marks.map((mark) => mark + 1));
    usd += costOf(prices.find(`anthropic:${modelName}`), {
      input: tokensOf(blocks),
      output: 0,
      cacheRead: tokensOf(blocks.slice(0, read)),
      cacheWrite: tokensOf(blocks.slice(read, written)),
    });
    for (const mark of marks) {
      const beginning = blocks.slice(0, mark + 1);
      if (tokensOf(beginning) >= shortestCached) cached.add(hashOf(beginning));
    }
    bytes += blocks.reduce((sum, block) => sum + bytesOf(block.text), 0);
    for (const [index, block] of blocks.entries()) {
      if (before[index]?.text !== block.text) break;
      sameBytes += bytesOf(block.text);
    }
    before = blocks;
  }
  return { cents: usd * 100, bytes, sameBytes };
}

const demoSchema = z.object({
  calls: z.array(
    z.object({
      role: z.string(),
      answer: z.object({ text: z.array(z.string()).optional(), object: z.unknown().optional() }),
    }),
  ),
});

/** The demo's own draft and verdict, so that sizes are those of a real issue. */
function readDemo(): { draft: string; revise: object; approved: object } {
  const file = join(packageFolder, 'demo', 'export-reports-as-csv.cassette.json');
  const { calls } = demoSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const drafts = calls.filter((call) => call.role === 'drafter');
  const [revise, approved] = calls.filter((call) => call.role === 'reviewer');
  return {
    draft: (drafts.at(-1)?.answer.text ?? []).join('\n'),
    revise: revise?.answer.object as object,
    approved: approved?.answer.object as object,
  };
}

/** A brief of whole sentences that are all different. */
function makeBrief(bytes: number): string {
  const lines = ['# Export reports as CSV', ''];
  for (let number = 1; lines.join('\n').length < bytes; number += 1) {
    lines.push(
      `- Report ${number} has ${number * 3} columns and is opened ${number * 7} times a day by its team.`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Runs the program on a brief of that size; the bodies that its drafter's provider got, oldest first. */
async function captureOurs(server: ScriptedProvider, name: string, text: string): Promise<string[]> {
  const folder = join(playground, name);
  const repository = join(folder, 'reports');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(repository, 'ideas', 'active'), { recursive: true });
  writeFileSync(join(repository, brief), text);
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LANG: 'C.UTF-8', TZ: 'UTC' },
    ...{ GATEWRIGHT_ACTOR: 'bench', ANTHROPIC_API_KEY: 'bench', GEMINI_API_KEY: 'bench' },
    ...server.environment,
  };
  const git = (...args: string[]) => run('git', args, { cwd: repository, env });
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'Bench');
  await git('config', 'user.email', 'bench@gatewright.invalid');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Start');
  const { draft, revise, approved } = readDemo();
  const from = server.seen.length;
  let drafts = 0;
  let verdicts = 0;
  server.script = (seen) => {
    if (seen.provider === 'anthropic') {
      drafts += 1;
      return answerWith(seen, draft.replace('## Objective', `## Objective\n\nThis is draft ${drafts}.`));
    }
    verdicts += 1;
    return answerWith(seen, verdicts <= revisions ? revise : approved);
  };
  await run(
    process.execPath,
    [
      ...[programFile, 'issue', '--brief', brief, '--auto', '--database', join(folder, 'bench.db')],
      ...['--drafter', `anthropic:${modelName}`, '--reviewer', 'google:gemini-2.5-pro'],
    ],
    { cwd: repository, env },
  );
  return server.seen
    .slice(from)
    .filter((seen) => seen.provider === 'anthropic')
    .map((seen) => seen.text);
}

/** Sends a conversation through the same adapter and returns the body that arrived. */
async function capture(server: ScriptedProvider, model: Model, instructions: string, messages: Message[]) {
  server.script = (seen) => answerWith(seen, 'Thank you.');
  await model.answerText({ role: 'drafter', call: 1, instructions, messages });
  return server.seen.at(-1)?.text ?? '';
}

/** The same texts as other prompts would hold them: one fresh message each time, and a conversation with all drafts. */
async function captureOthers(server: ScriptedProvider, ours: readonly string[]) {
  const model = makeAiSdkModel({
    ...{ provider: 'anthropic', model: modelName, credentialsFile: '', clock: systemClock },
    ...{ baseUrl: `${server.url}/v1`, limitMilliseconds: 60_000, limits: noCredentialLimits },
    credentials: [{ name: 'bench', provider: 'anthropic', key: 'bench' }],
  });
  const naive: string[] = [];
  const allDrafts: string[] = [];
  const conversation: Message[] = [];
  for (const [revision, body] of ours.entries()) {
    const [instructions = '', first = '', ...rest] = blocksOf(body).map((block) => block.text);
    const remarks = rest.slice(0, revision);
    const draft = rest.slice(revision);
    const fresh = [first, ...draft, ...remarks].join('\n\n');
    naive.push(await capture(server, model, instructions, [{ role: 'user', content: fresh }]));
    const turn = revision === 0 ? first : [...draft, remarks.at(-1) ?? ''].join('\n\n');
    conversation.push({ role: 'user', content: turn, isKept: true });
    allDrafts.push(await capture(server, model, instructions, [...conversation]));
  }
  return { naive, allDrafts };
}

function row(
  name: string,
  unit: Row['unit'],
  ours: number,
  peer: number,
  peerName: string,
  goal: number | null,
): Row {
  const ratio = ours / peer;
  if (!Number.isFinite(ratio)) throw new Error(`"${name}" could not be measured.`);
  return {
    ...{ name, unit, ours, peer, peerName, ratio, rounds: 1 },
    goal: goal === null ? '' : `≤ ${goal.toFixed(2)}×`,
    isMet: goal === null ? null : ratio <= goal,
    spread: { ours: [ours, ours], peer: [peer, peer] },
  };
}

export async function benchPromptCache(): Promise<Row[]> {
  const server = await new ScriptedProvider().start();
  const rows: Row[] = [];
  try {
    // How long the first request is without a brief, to make the beginning as long as wanted.
    const bare = blocksOf((await captureOurs(server, 'bare', makeBrief(100)))[0] ?? '');
    for (const [tokens, goal] of [
      [6_000, 0.6],
      [20_000, 0.45],
    ] as const) {
      const name = `prompt cache, ${tokens / 1000}k-token prefix`;
      const text = makeBrief((tokens - tokensOf(bare)) * bytesPerToken + 100);
      const ours = await captureOurs(server, String(tokens), text);
      if (ours.length !== revisions + 1) throw new Error(`The drafter was asked ${ours.length} times.`);
      const { naive, allDrafts } = await captureOthers(server, ours);
      const [our, fresh, all] = [priceOf(ours), priceOf(naive), priceOf(allDrafts)];
      rows.push(
        row(
          `${name}: input cost, 5 revisions`,
          'US¢',
          our.cents,
          fresh.cents,
          'fresh prompts, no cache',
          goal,
        ),
        row(
          `${name}: input cost, 5 revisions`,
          'US¢',
          our.cents,
          all.cents,
          'cached, all drafts resent',
          null,
        ),
        row(
          `${name}: identical to the request before`,
          'KB',
          our.sameBytes / 1024,
          our.bytes / 1024,
          'all that is sent',
          null,
        ),
      );
    }
  } finally {
    await server.stop();
  }
  return rows;
}
