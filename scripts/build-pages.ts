/** Builds the pages of the dashboard into a folder: files whose names say what is in them, and nothing written inline. */
import { join, relative } from 'node:path';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');
const source = join(root, 'src', 'web');

/** Which files went in, from the root on. */
function listInputs(inputs: Set<string>): Plugin {
  return {
    name: 'list-inputs',
    generateBundle: (_, bundle) => {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') for (const id of file.moduleIds) inputs.add(relative(root, id));
    },
  };
}

export async function buildPages(folder: string): Promise<readonly string[]> {
  const inputs = new Set<string>();
  // Tests set it to theirs; React would then be the one for development, four times as large.
  process.env.NODE_ENV = 'production';
  await build({
    root: source,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [listInputs(inputs)],
    // Without `browser`: what the Markdown parser has for browsers reads names of characters by way of `innerHTML`.
    resolve: { conditions: ['module', 'production'] },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        input: [join(source, 'index.html'), join(source, 'signed-out.html')],
      },
    },
  });
  return [...inputs];
}
