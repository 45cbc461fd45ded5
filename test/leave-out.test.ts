/** What the published program leaves out of its dependencies: nothing that it does changes by that. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProvider } from '@pydantic/genai-prices';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { leaveOut } from '../scripts/leave-out.ts';
import { makePriceCatalogue } from '../src/adapters/prices/price-catalogue.ts';
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
