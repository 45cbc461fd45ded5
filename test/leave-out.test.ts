/** What the published program leaves out of its dependencies: nothing that it does changes by that. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProvider } from '@pydantic/genai-prices';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { leaveOut } from '../scripts/leave-out.ts';
import { callProvider } from '../src/adapters/ai-sdk/call-provider.ts';
import { makePriceCatalogue } from '../src/adapters/prices/price-catalogue.ts';
import { lintWorkflows } from '../src/setup/actions/rules/lint-workflows.ts';
import { badScripts } from './support/bad-workflow-scripts.ts';
import { badSettings } from './support/bad-workflow-settings.ts';
import { goodWorkflows } from './support/good-workflows.ts';
import { Playground, programFile, runProcess } from './support/playground.ts';

const root = join(import.meta.dirname, '..');

describe('the prices in the published program', () => {
  it('are those of the catalogue, for every model that can be named', async () => {
    const playground = new Playground({ brief: null });
    const outfile = join(playground.folder, 'prices.mjs');
    const from = join(root, 'src/adapters/prices/price-catalogue.ts');
    await build({
      entryPoints: [from],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: [leaveOut],
    });
    const slim = (await import(pathToFileURL(outfile).href)) as {
      makePriceCatalogue: typeof makePriceCatalogue;
    };
    const [whole, published] = [await makePriceCatalogue()(), await slim.makePriceCatalogue()()];
    const names = ['anthropic', 'google', 'openai'].flatMap((provider) => {
      const models = findProvider({ providerId: provider })?.models ?? [];
      expect(models.length, provider).toBeGreaterThan(20);
      const ids = models.flatMap(({ id }) => [id, `${id}-latest`, `${id}-20260101`, id.toUpperCase()]);
      return [...ids, 'claude-sonnet-4-5', 'gpt-5', 'of-no-one'].map((id) => `${provider}:${id}`);
    });
    for (const name of [...names, 'claude:opus', 'claude:sonnet', 'claude:new'])
      expect(published.find(name), name).toEqual(whole.find(name));
    expect(names.filter((name) => whole.find(name) !== null).length).toBeGreaterThan(200);
    playground.remove();
  });
});

describe('the linter of workflows in the published program', () => {
  it('finds what it finds here', async () => {
    const playground = new Playground({ brief: null });
    const outfile = join(playground.folder, 'lint.mjs');
    const from = join(root, 'src/setup/actions/rules/lint-workflows.ts');
    await build({
      entryPoints: [from],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: [leaveOut],
    });
    const slim = (await import(pathToFileURL(outfile).href)) as { lintWorkflows: typeof lintWorkflows };
    for (const { title, files } of [...badScripts, ...badSettings, ...goodWorkflows]) {
      const given = Object.entries(files).map(([path, text]) => ({ path, text }));
      expect(slim.lintWorkflows(given), title).toEqual(lintWorkflows(given));
    }
    playground.remove();
  });
});

/** What each provider answers to a question for `{"word": "yes"}`. */
const answers = {
  google: {
    modelVersion: 'gemini-2.5-pro',
    candidates: [{ content: { parts: [{ text: '{"word":"yes"}' }], role: 'model' }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
  },
  anthropic: {
    ...{ id: 'm', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: '{"word":"yes"}' }],
    usage: { input_tokens: 7, output_tokens: 3 },
  },
  openai: {
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'gpt-5' },
    choices: [{ index: 0, message: { role: 'assistant', content: '{"word":"yes"}' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  },
} as const;

describe('the providers in the published program', () => {
  it('send and understand what they send and understand as a whole', { timeout: 60_000 }, async () => {
    const playground = new Playground({ brief: null });
    const outfile = join(playground.folder, 'provider.mjs');
    const from = join(root, 'src/adapters/ai-sdk/call-provider.ts');
    const banner =
      "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);";
    await build({
      ...{ entryPoints: [from], outfile, bundle: true, format: 'esm', platform: 'node', plugins: [leaveOut] },
      banner: { js: banner },
    });
    const slim = (await import(pathToFileURL(outfile).href)) as { callProvider: typeof callProvider };
    const schema = z.object({ word: z.string() });
    const messages = [
      { role: 'user', content: 'Say yes.' },
      { role: 'assistant', content: 'No.' },
      { role: 'user', content: 'Please.' },
    ] as const;
    async function play(
      call: typeof callProvider,
      provider: keyof typeof answers,
      isObject: boolean,
      status: number,
    ) {
      const sent: unknown[] = [];
      const outcome = await call({
        credential: { name: 'a key', provider, key: 'secret' },
        model: answers[provider] === answers.google ? 'gemini-2.5-pro' : 'a-model',
        baseUrl: undefined,
        request: { role: 'reviewer', call: 1, instructions: 'Answer.', messages },
        schema: isObject ? schema : null,
        signal: new AbortController().signal,
        fetch: async (url, init) => {
          sent.push([String(url), init?.body, [...new Headers(init?.headers)].sort()]);
          const body = status === 200 ? answers[provider] : { error: { message: 'too much', code: status } };
          return Response.json(body, { status });
        },
      });
      return { sent, outcome };
    }
    for (const provider of ['google', 'anthropic', 'openai'] as const)
      for (const isObject of [false, true])
        for (const status of [200, 429]) {
          const whole = await play(callProvider, provider, isObject, status);
          expect(await play(slim.callProvider, provider, isObject, status)).toEqual(whole);
          expect(whole.sent).toHaveLength(1);
          const text = '{"word":"yes"}';
          const value = isObject ? { word: 'yes' } : text;
          expect(whole.outcome).toMatchObject(
            status === 200 ? { kind: 'answered', value } : { kind: 'failed', status },
          );
        }
    playground.remove();
  });
});

describe('variables of LangSmith', () => {
  it('send nothing, print nothing and change nothing', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const tracing = Object.fromEntries(
      ['LANGSMITH', 'LANGCHAIN'].flatMap((maker) => [
        [`${maker}_TRACING`, 'true'],
        [`${maker}_TRACING_V2`, 'true'],
        [`${maker}_VERBOSE`, 'true'],
        [`${maker}_ENDPOINT`, endpoint],
        [`${maker}_API_KEY`, 'x'],
        [`${maker}_CALLBACKS_BACKGROUND`, 'false'],
      ]),
    );
    for (const file of [programFile, join(root, 'bin', 'gatewright.cjs')]) {
      const playground = new Playground();
      const result = await runProcess([file, 'issue', '--brief', 'ideas/active/export-csv.md', '--auto'], {
        cwd: playground.repository,
        env: { ...playground.environment, ...tracing },
      });
      expect(result.code, result.all).toBe(0);
      expect(result.all).not.toContain('[chain/');
      playground.remove();
    }
    expect(asked).toEqual([]);
    server.close();
    server.closeAllConnections();
  });
});
