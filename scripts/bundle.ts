/**
 * How the program that is published is bundled: our code and its JavaScript dependencies in a few files that load fast (LangGraph
 * from its own hundreds of files takes four times as long and twice the memory). The database library stays outside: it
 * is native.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Journeys, joinChunks } from './join-chunks.ts';
import { leaveOut } from './leave-out.ts';

const root = join(import.meta.dirname, '..');

const taken =
  /(?<=^|[;}\n])import *(\*as [\w$]+|[\w$]+(?:,\{[^}]*\})?|\{[^}]*\}) *from"(node:[\w/]+|better-sqlite3)";?/gu;

const requireLine = 'const require=process.getBuiltinModule("node:module").createRequire(import.meta.url);';

function takeBuiltin(names: string, module: string): string {
  const from = module.startsWith('node:') ? `process.getBuiltinModule("${module}")` : `require("${module}")`;
  const [, whole] = /^(?:\*as )?([\w$]+)/u.exec(names) ?? [];
  const [parts] = /\{[^}]*\}/u.exec(names) ?? [];
  if (parts?.includes('default ') === true) throw new Error(`${module} has no default: import ${names}`);
  return [
    ...(whole === undefined ? [] : [`const ${whole}=${from};`]),
    ...(parts === undefined ? [] : [`const${parts.replace(/ as /gu, ':')}=${from};`]),
  ].join('');
}

/**
 * Takes Node's own modules as CommonJS does. An `import` reads every property of such a module first, and some are
 * there to be loaded when they are needed: `node:http` alone then brings in a whole client for WebSockets. As imports
 * are, all of it stands before everything else.
 */
function takeBuiltins(file: string, wanted: readonly string[]): void {
  const found = new Set<string>();
  const lines: string[] = [];
  const rest = readFileSync(file, 'utf8').replace(taken, (_, names: string, module: string) => {
    found.add(module);
    lines.push(takeBuiltin(names, module));
    return '';
  });
  const left = wanted.filter((module) => !found.has(module));
  if (left.length > 0) throw new Error(`${file}: found no import of ${left.join(', ')}`);
  // Some dependencies are CommonJS and call require.
  const first = /\brequire\b/u.test(rest + lines.join('')) ? requireLine : '';
  writeFileSync(file, `${first}${lines.join('')}${rest}`);
}

/** Where the program begins, and its threads. */
export const programEntries: Readonly<Record<string, string>> = {
  main: 'src/main.ts',
  'receiver-thread': 'src/compose/receiver-thread.ts',
  'api-thread': 'src/compose/api-thread.ts',
};

/** What nearly every command loads. */
const started = ['src/main.ts', 'src/compose/compose-on-database.ts', 'src/adapters/sqlite/signing-key.ts'];
/** And those that run something. */
const housed = [...started, 'src/compose/compose-house.ts', 'src/adapters/sqlite/sqlite-checkpoints.ts'];

/** Processes that start often. `test/e2e/package.test.ts` counts what one of them loads. */
const journeys: Journeys = {
  thread: ['src/compose/receiver-thread.ts'],
  start: started,
  issue: [...housed, 'src/entrypoints/cli/commands/issue.ts', 'src/workflows/authoring/graph.ts'],
  solve: [...housed, 'src/entrypoints/cli/commands/solve/solve.ts', 'src/workflows/pipeline/graph.ts'],
  dispatch: [
    ...housed,
    'src/entrypoints/cli/commands/dispatch.ts',
    ...['implementer', 'reviewer', 'auto-merge', 'label-keeper', 'pr-size-guardian'].map(
      (agent) => `src/agents/${agent}/${agent}.ts`,
    ),
  ],
};

/** Bundles entry points into a folder, which is emptied first. Resolves with the files that went in. */
export async function bundle(
  entries: Readonly<Record<string, string>>,
  folder: string,
): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { metafile, outputFiles } = await build({
    entryPoints: { ...entries },
    outdir: folder,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    minify: true,
    external: ['better-sqlite3'],
    metafile: true,
    write: false,
    logLevel: 'warning',
    plugins: [leaveOut],
  });
  const joined = await joinChunks({
    ...{ written: outputFiles, metafile, folder, heavy: ['node_modules/@langchain/', 'node_modules/zod/'] },
    journeys: 'main' in entries ? journeys : {},
    names: Object.keys(entries).map((name) => `${name}.js`),
  });
  for (const [file, { imports }] of Object.entries(joined.outputs)) {
    const statements = imports.filter(({ kind }) => kind === 'import-statement');
    takeBuiltins(
      join(root, file),
      statements.map(({ path }) => path).filter((path) => /^node:|^better-sqlite3$/u.test(path)),
    );
  }
  return Object.keys(metafile.inputs);
}

/** What the quick commands load; everything else is left out of their file. */
const quick = /\/(compose-records|status|completion|help)\.ts$/u;

/**
 * The quick commands once more as one CommonJS file: loading the same code as modules takes half as long again, most
 * of it spent in Node on modules nobody asked for.
 */
export async function bundleQuick(folder: string): Promise<void> {
  await build({
    entryPoints: { quick: 'src/main.ts' },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22.18',
    minify: true,
    external: ['better-sqlite3'],
    logLevel: 'warning',
    define: { 'import.meta.url': '__file' },
    banner: { js: "const __file=require('node:url').pathToFileURL(__filename).href;" },
    plugins: [
      {
        name: 'quick-only',
        setup: ({ onResolve }) => {
          onResolve({ filter: /^\.\.?\// }, ({ kind, path }) =>
            kind === 'dynamic-import' && !quick.test(path) ? { path, external: true } : undefined,
          );
        },
      },
    ],
  });
}
