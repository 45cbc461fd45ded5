/** What is published, installed elsewhere; and the demo, which is the first thing anybody runs. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Playground, runProcess } from '../support/playground.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the packed tarball', () => {
  it('holds what is needed and runs from anywhere', { timeout: 120_000 }, async () => {
    const playground = new Playground();
    const place = join(playground.folder, 'installed');
    const modules = join(place, 'node_modules');
    mkdirSync(modules, { recursive: true });
    execFileSync('npm', ['pack', '--pack-destination', place], { cwd: root, stdio: 'ignore' });
    const tarball = readdirSync(place).find((name) => name.endsWith('.tgz')) ?? '';
    // Half of it is our own code and pages. A dependency that grows, or one that comes in by the way, is seen here.
    expect(statSync(join(place, tarball)).size).toBeLessThan(1_550_000);
    execFileSync('tar', ['-xzf', join(place, tarball), '-C', modules]);
    execFileSync('mv', [join(modules, 'package'), join(modules, 'gatewright')]);
    // Its one dependency, as an installer would put it beside it.
    symlinkSync(join(root, 'node_modules', 'better-sqlite3'), join(modules, 'better-sqlite3'));
    const files = readdirSync(join(modules, 'gatewright')).sort();
    expect(files).toEqual([
      'LICENSE',
      'README.md',
      'bin',
      'demo',
      'dist',
      'docs',
      'package.json',
      'prompts',
      'templates',
    ]);
    expect(readFileSync(join(modules, 'gatewright/dist/THIRD-PARTY-LICENCES.txt'), 'utf8')).toContain(
      '@langchain/langgraph ',
    );
    // The pages come along, and no map of their sources.
    const web = join(modules, 'gatewright/dist/web');
    expect(readdirSync(web).sort()).toEqual(['assets', 'index.html', 'signed-out.html']);
    const assets = readdirSync(join(web, 'assets'));
    expect(assets.every((name) => /-[\w-]{8}\.(?:js|css|svg)$/u.test(name))).toBe(true);
    // What a browser loads before it shows the first page.
    const first = assets.filter((name) => /^(?:index|look)-/u.test(name));
    const sizes = first.map((name) => gzipSync(readFileSync(join(web, 'assets', name))).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(100_000);
    const program = join(modules, 'gatewright/bin/gatewright.cjs');
    const list = join(playground.folder, 'loaded.txt');
    const filed = await playground.run(['issue', '--brief', 'ideas/active/export-csv.md', '--auto'], {
      file: program,
      env: { NODE_OPTIONS: `--require ${join(root, 'test/support/list-modules.cjs')}`, LOADED_MODULES: list },
    });
    expect(filed.code, filed.all).toBe(0);
    // Each costs Node more than its code: there were 138 before `scripts/join-chunks.ts`.
    expect(readFileSync(list, 'utf8').trim().split('\n').length).toBeLessThan(25);
    for (const args of [['status'], ['explain', '#1'], ['runs'], ['ledger', 'verify'], ['--help']]) {
      const result = await playground.run(args, { file: program });
      expect(result.code, result.all).toBe(0);
    }
    playground.remove();
  });
});

describe('the demo', () => {
  it('walks an idea to a filed issue, says that the models are recorded, and shows where everything is', async () => {
    const playground = new Playground({ brief: null });
    // A new machine: no git identity, no database, no editor; run from the sources as `npm start` does.
    const env = { ...playground.environment, GIT_CONFIG_GLOBAL: '/dev/null', TMPDIR: playground.folder };
    const result = await runProcess([join(root, 'bin', 'gatewright.cjs'), 'demo', '--once'], {
      cwd: playground.folder,
      env,
    });
    expect(result.code, result.all).toBe(0);
    expect(result.stderr).toContain('The models are recorded');
    for (const part of [
      'VERDICT HAS FEEDBACK',
      'VERDICT PASSED',
      'Issue created: local://local/reports/issues/1',
      'Audit trail moved',
      'Committed audit trail for #1',
      'merged #2',
      'working on US-001 of #3',
      'working on US-002 of #3',
      'merged #4',
    ]) {
      expect(result.stderr).toContain(part);
    }
    expect(result.stdout).toContain('What to try next');
    const shown = /prove the record\s+npx gatewright (.+)/u.exec(result.stdout)?.[1] ?? '';
    const proved = await playground.run(shown.split(' '));
    expect(proved.stdout).toContain('Sound');
    const folder = /the folder\s+(\S+)/u.exec(result.stdout)?.[1] ?? '';
    expect(dirname(folder)).toBe(playground.folder);
    expect(existsSync(join(folder, 'reports/docs/lineage/done/1-export-reports-as-csv/006-filed.json'))).toBe(
      true,
    );
    for (const line of result.stdout
      .split('\n')
      .filter((one) => one.includes('npx gatewright') && !one.includes('YOUR-REPOSITORY'))) {
      const args = line
        .slice(line.indexOf('npx gatewright') + 'npx gatewright '.length)
        .replaceAll("'", '')
        .split(' ');
      expect((await playground.run(args)).code, line).toBe(0);
    }
    rmSync(folder, { recursive: true });
    playground.remove();
  });

  it.each([
    ['authoring', { pullRequest: null, loop: null }],
    ['fleet', { run: null, pullRequest: { number: 2, state: 'merged' }, loop: null }],
    [
      'loop',
      { run: null, pullRequest: null, loop: { issue: 1, pullRequest: { number: 2, state: 'merged' } } },
    ],
  ])('shows one part only: %s', async (part, shown) => {
    const playground = new Playground({ brief: null });
    const env = { TMPDIR: playground.folder };
    const result = await playground.run(['demo', '--once', '--only', part, '--json'], { env });
    expect(result.code, result.all).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject(shown);
    playground.remove();
  });
});
