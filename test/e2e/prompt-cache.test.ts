/** What the program sends over several revisions: everything before the draft is sent again byte for byte, and marked. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approved, draftText, revise } from '../support/cassettes.ts';
import { Playground } from '../support/playground.ts';
import { answerWith, ScriptedProvider } from '../support/scripted-provider.ts';

const brief = 'ideas/active/export-csv.md';
const keys = { ANTHROPIC_API_KEY: 'key-a', GEMINI_API_KEY: 'key-b' };
const revisions = 4;

let playground: Playground;
let server: ScriptedProvider;
beforeEach(async () => {
  playground = new Playground();
  server = await new ScriptedProvider().start();
});
afterEach(async () => {
  playground.remove();
  await server.stop();
});

interface Block {
  readonly type: string;
  readonly text: string;
  readonly cache_control?: unknown;
}

/** The blocks of a request in the order in which the provider reads them. */
function blocksOf(body: string): Block[] {
  const { system, messages } = JSON.parse(body) as { system: Block[]; messages: { content: Block[] }[] };
  return [...system, ...messages.flatMap((message) => message.content)];
}

const serialise = (blocks: readonly Block[]): string =>
  JSON.stringify(blocks.map(({ type, text }) => ({ type, text })));

async function draftRequests(): Promise<Block[][]> {
  let drafts = 0;
  let verdicts = 0;
  server.script = (seen) => {
    if (seen.provider === 'anthropic') {
      drafts += 1;
      return answerWith(seen, draftText(`Try ${drafts}`, { note: `The text of draft ${drafts}.` }));
    }
    verdicts += 1;
    const verdict = { ...revise, summary: `Remark number ${verdicts}.` };
    return answerWith(seen, verdicts <= revisions ? verdict : approved);
  };
  const models = ['--drafter', 'anthropic:claude-sonnet-4-5', '--reviewer', 'google:gemini-2.5-pro'];
  const result = await playground.run(['issue', '--brief', brief, '--auto', ...models], {
    env: { ...server.environment, ...keys },
  });
  expect(result.code, result.all).toBe(0);
  return server.seen.filter((seen) => seen.provider === 'anthropic').map((seen) => blocksOf(seen.text));
}

describe('prompts over several revisions', () => {
  it('grow at their end only, but for the draft, which stands last', async () => {
    const requests = await draftRequests();
    expect(requests).toHaveLength(revisions + 1);
    for (const [index, request] of requests.entries()) {
      if (index === 0) continue;
      const before = requests[index - 1] ?? [];
      // All that is worth keeping of the request before: everything but its draft.
      const stable = index === 1 ? before : before.slice(0, -1);
      expect(serialise(request).startsWith(serialise(stable).slice(0, -1))).toBe(true);
      expect(request).toHaveLength(stable.length + 2);
    }
  });

  it('hold the draft as it stands and every verdict, but no earlier draft', async () => {
    const requests = await draftRequests();
    const last = requests.at(-1) ?? [];
    const told = last.map((block) => block.text).join('\n');
    for (let number = 1; number <= revisions; number += 1) expect(told).toContain(`Remark number ${number}.`);
    expect(last.at(-1)?.text).toContain(`The text of draft ${revisions}.`);
    expect(told.match(/The text of draft/gu)).toHaveLength(1);
  });

  it('are marked where the next request goes on, at four places at most', async () => {
    const requests = await draftRequests();
    for (const [revision, request] of requests.entries()) {
      const marked = [...request.keys()].filter((index) => request[index]?.cache_control !== undefined);
      // Block 0 are the instructions, 1 the template and the brief, then one block of remarks for each round.
      const last = revision + 1;
      expect(marked).toEqual([...new Set([1, Math.max(1, last - 1), last])]);
      expect(marked.length).toBeLessThanOrEqual(4);
    }
  });

  it('are told to Google without a mark', async () => {
    await draftRequests();
    const reviews = server.seen.filter((seen) => seen.provider === 'google');
    expect(reviews).toHaveLength(revisions + 1);
    for (const seen of reviews) expect(seen.text).not.toContain('cache');
  });
});
