/** Where the code of a thread begins. */

/** A checkout runs its sources, an installed package built files; a thread begins beside this file in both. */
export function threadFile(name: string): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${extension}`, import.meta.url);
}
