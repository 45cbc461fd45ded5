/** Whether a word of a sentence is meant as a file or a folder, without a look at the repository. */

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** Endings of files; an ending that is not listed could be the end of a sentence. */
const endings = wordsOf(`
  ts tsx js jsx mjs cjs mts cts json jsonc json5 md mdx yml yaml toml py pyi go rs rb java kt kts c h cc cpp hpp cs php
  sh bash zsh ps1 sql html htm css scss sass less svg png jpg txt csv tsv xml lock env example ini cfg conf vue svelte
  prisma proto graphql gql tf swift scala ex exs erl lua r dart gradle properties snap patch diff log plist astro
`);
/** Names that look like files. */
const notFiles = wordsOf(
  'node.js vue.js next.js nuxt.js react.js express.js three.js d3.js nest.js socket.io asp.net',
);
const plainFiles = wordsOf(
  'dockerfile makefile license procfile gemfile rakefile codeowners jenkinsfile justfile vagrantfile',
);
const folders = wordsOf(
  'src test tests docs doc lib libs app apps packages scripts bin config public dist migrations internal cmd pkg examples fixtures templates .github .claude prompts spec assets db',
);

export function isFilePath(token: string): boolean {
  const folded = token.toLowerCase().replace(/:\d+$/u, '');
  if (!/^[\w@.~/{}()[\]*+-]+$/u.test(folded) || notFiles.has(folded) || folded.startsWith('/')) return false;
  const parts = folded.replace(/^\.\//u, '').replace(/\/$/u, '').split('/');
  const name = parts.at(-1) ?? '';
  if (plainFiles.has(name) || /^\.[a-z][\w.-]+$/u.test(name)) return true;
  const ending = /^[\w@{}()[\]*+.-]+\.([a-z0-9]+)$/u.exec(name)?.[1];
  if (ending !== undefined && endings.has(ending)) return true;
  return (folded.includes('/') && folders.has(parts[0] ?? '')) || /^\.\/.|^[\w.-]+\/$/u.test(folded);
}
