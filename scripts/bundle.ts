/**
 * How the program that is published is bundled: our code and its JavaScript dependencies in a few files that load fast (LangGraph
 * from its own hundreds of files takes four times as long and twice the memory). The database library stays outside: it
 * is native. The licences of everything that is bundled are written beside it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');

function packageOf(input: string): string | null {
  return /^(?:.*\/)?(node_modules\/(?:@[^/]+\/)?[^/]+)\//u.exec(input)?.[1] ?? null;
}

/** Names, versions and licence texts of the packages whose code went into the bundle. */
function collectLicences(metafile: Metafile): string {
  const folders = new Set(
    Object.keys(metafile.inputs)
      .map(packageOf)
      .filter((folder) => folder !== null),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const path = join(root, folder);
      const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      const file = readdirSync(path).find((one) => /^licen[cs]e/iu.test(one));
      const text = file === undefined ? `Licence: ${license}` : readFileSync(join(path, file), 'utf8').trim();
      return `${name} ${version}\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Messages of the schema library in forty languages are a quarter megabyte that nobody would ever read. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ path, importer }) =>
      importer.includes('/zod/') ? { path, namespace: 'english-only' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'english-only' }, () => ({
      contents: "export { default as en } from 'zod/v4/locales/en.js';",
      resolveDir: root,
    }));
  },
};

/** Bundles entry points into a folder; the folder is emptied first. */
export async function bundle(entries: Readonly<Record<string, string>>, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
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
    logLevel: 'warning',
    plugins: [englishOnly],
    // Some dependencies are CommonJS and call require.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  });
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), collectLicences(metafile));
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
