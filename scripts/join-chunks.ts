/**
 * The bundler divides the program into hundreds of chunks: one for every set of commands that share some code. To find,
 * read and link each of them takes Node longer than to compile it. So chunks that are always loaded together are joined
 * into one file. Nothing is loaded twice, and a journey loads no more than it did before.
 */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';

/** What commands load for which that matters: the sources that they import when they need them. */
export type Journeys = Readonly<Record<string, readonly string[]>>;

interface Chunk {
  readonly file: string;
  readonly text: string;
  readonly exports: readonly string[];
  /** What it imports before it begins: names by the file that has them. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** The source that is imported as a whole, when it is needed; otherwise the chunk is a part of others. */
  readonly source: string | undefined;
  /** What names of its exports begin with in a joined file. */
  readonly prefix: string;
}

type Chunks = ReadonlyMap<string, Chunk>;

function readNames(text: string, file: string): string[] {
  const statements = [...text.matchAll(new RegExp(`\\bimport(?:\\{([^}]*)\\}from)?"\\./${file}"`, 'gu'))];
  if (statements.length === 0) throw new Error(`Found no import of ${file} where one has to be.`);
  const names = statements.flatMap(([, listed = '']) => listed.split(','));
  return names.map((name) => name.replace(/ as .*/u, '')).filter((name) => name !== '');
}

function readChunks(written: readonly OutputFile[], { outputs }: Metafile): Chunks {
  const texts = new Map(written.map(({ path, text }) => [basename(path), text]));
  return new Map(
    Object.entries(outputs).map(([path, { imports, exports, entryPoint }], index) => {
      const file = basename(path);
      const text = texts.get(file) ?? '';
      const needed = imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true);
      const needs = new Map(
        needed.map((one) => [basename(one.path), readNames(text, basename(one.path))] as const),
      );
      return [file, { file, text, exports, needs, source: entryPoint, prefix: `c${index}` }];
    }),
  );
}

/** A chunk and all that has to be there before it begins. */
function closureOf(file: string, chunks: Chunks, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const needed of chunks.get(file)?.needs.keys() ?? []) closureOf(needed, chunks, found);
  return found;
}

/**
 * The joined file that each chunk goes into. Those that begin the program or a thread stay alone: to load one for what is
 * beside it would begin another program. What a chunk needs is on all of its journeys, and perhaps on more: so joined
 * files need each other in one direction only. For the same reason those that hold or need a heavy package can stay apart
 * from those that do not: some command outside the journeys may want only these.
 */
function divide(
  chunks: Chunks,
  { journeys, names }: Pick<FirstPass, 'journeys' | 'names'>,
  heavy: readonly ReadonlySet<string>[],
): Map<string, string> {
  const closures = new Map([...chunks.keys()].map((file) => [file, closureOf(file, chunks)]));
  const entries = new Map([...chunks.values()].map(({ source, file }) => [source, file]));
  const loaded = Object.values(journeys).map((sources) => {
    const files = sources.flatMap((source) => {
      const file = entries.get(source);
      if (file === undefined) throw new Error(`Nothing imports ${source} when it is needed.`);
      return [...(closures.get(file) ?? [])];
    });
    return new Set(files);
  });
  const groups = new Map<string, string[]>();
  for (const [file, closure] of closures) {
    const taken = loaded.map((files) => files.has(file));
    if (names.includes(file) || !taken.includes(true)) continue;
    const group = [...taken, ...heavy.map((files) => [...files].some((one) => closure.has(one)))].join();
    groups.set(group, [...(groups.get(group) ?? []), file]);
  }
  const joined = [...groups.values()].filter((files) => files.length > 1);
  return new Map(
    joined.flatMap((files, index) => files.map((file) => [file, `joined-${index}.js`] as const)),
  );
}

/** `a as c1a` for every name, or the other way round. */
function listNames(names: Iterable<string>, prefix: string, isBack: boolean): string {
  return [...names]
    .map((name) => (isBack ? `${prefix}${name} as ${name}` : `${name} as ${prefix}${name}`))
    .join();
}

/** Gives the bundler the chunks of its first pass. */
function readJoined(chunks: Chunks, homes: ReadonlyMap<string, string>): Plugin {
  const homeOf = (file: string): string => homes.get(file) ?? file;
  const wanted = new Map<string, Set<string>>();
  for (const { file, needs } of chunks.values())
    for (const [needed, names] of needs)
      if (homeOf(needed) !== homeOf(file))
        wanted.set(needed, new Set([...(wanted.get(needed) ?? []), ...names]));
  const wholeOf = (home: string): string =>
    [...chunks.values()]
      .filter(({ file }) => homeOf(file) === home)
      .map(({ file, prefix, source }) => {
        const whole = source === undefined ? '' : `export * as ${prefix} from './${file}';`;
        return `${whole}export {${listNames(wanted.get(file) ?? [], prefix, false)}} from './${file}';`;
      })
      .join('');
  const bridgeTo = (file: string): string =>
    `export {${listNames(wanted.get(file) ?? [], chunks.get(file)?.prefix ?? '', true)}} from './${homeOf(file)}';`;
  return {
    name: 'join-chunks',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^whole:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'whole' }));
      onResolve({ filter: /^\.\// }, ({ path, importer, namespace, kind }) => {
        const file = basename(path);
        const chunk = { path: file, namespace: 'chunk' };
        if (kind === 'entry-point' || namespace === 'whole') return chunk;
        if (kind === 'dynamic-import' || namespace === 'bridge') return { path, external: true };
        if (homeOf(file) === homeOf(importer)) return chunk;
        // From one file into another: by the name that it has there.
        return homes.has(file) ? { path: file, namespace: 'bridge' } : { path, external: true };
      });
      onLoad({ filter: /.*/, namespace: 'whole' }, ({ path }) => ({ contents: wholeOf(path) }));
      onLoad({ filter: /.*/, namespace: 'bridge' }, ({ path }) => ({ contents: bridgeTo(path) }));
      onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
        contents: chunks.get(path)?.text ?? '',
      }));
    },
  };
}

/** What is imported when it is needed is one of the exports of the file that it is in now. */
function followImports(text: string, chunks: Chunks, homes: ReadonlyMap<string, string>): string {
  return text.replace(/\bimport\("\.\/([\w-]+\.js)"\)/gu, (whole, file: string) => {
    const home = homes.get(file);
    return home === undefined ? whole : `import("./${home}").then(m=>m.${chunks.get(file)?.prefix})`;
  });
}

interface FirstPass {
  readonly written: readonly OutputFile[];
  readonly metafile: Metafile;
  readonly folder: string;
  readonly journeys: Journeys;
  /** Large packages: how the path of their sources begins. */
  readonly heavy: readonly string[];
  /** The files that are loaded by their names, from outside. */
  readonly names: readonly string[];
}

/** Writes what the bundler made into the folder, with chunks joined, and tells what each file imports now. */
export async function joinChunks(first: FirstPass): Promise<Metafile> {
  const chunks = readChunks(first.written, first.metafile);
  const heavy = first.heavy.map((part) => {
    const outputs = Object.entries(first.metafile.outputs);
    const holding = outputs.filter(([, { inputs }]) =>
      Object.keys(inputs).some((path) => path.startsWith(part)),
    );
    return new Set(holding.map(([path]) => basename(path)));
  });
  const homes = divide(chunks, first, heavy);
  const alone = [...chunks.keys()].filter((file) => !homes.has(file));
  const { metafile, outputFiles } = await build({
    entryPoints: [
      ...[...new Set(homes.values())].map((home) => ({ in: `whole:${home}`, out: basename(home, '.js') })),
      ...alone.map((file) => ({ in: `./${file}`, out: basename(file, '.js') })),
    ],
    outdir: first.folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    minify: true,
    external: ['better-sqlite3'],
    metafile: true,
    write: false,
    logLevel: 'warning',
    plugins: [readJoined(chunks, homes)],
  });
  for (const { path, text } of outputFiles) writeFileSync(path, followImports(text, chunks, homes));
  return metafile;
}
