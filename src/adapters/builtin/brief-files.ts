/** Reads a line of a brief that names files: `Files: src/a.ts, test/a.test.ts`. */
import { plainText } from '../../domain/text/markdown.ts';
import type { Sentence } from './brief-sentences.ts';

const filesMark =
  /^(?:\*\*|__|[*_])?(?:files?(?: to (?:create|change|modify|touch|edit)(?:\/\p{L}+)?)?|dateien)(?:\*\*|__|[*_])?\s*:(?:\*\*|__|[*_])?\s*(?=\S)/iu;

/** A name with a slash or an ending; other words say something about files. */
const path = /^(?=.*[./])[\w@+-][\w.@+/-]{0,399}$|^\.[\w.@+/-]{1,399}$/u;

/** Whether a sentence is written as a line of files, whatever it says about them. */
export function isFilesLine({ source, nodes, beginsLine }: Sentence): boolean {
  return beginsLine === true && filesMark.test(source) && !nodes.some(({ type }) => type === 'html');
}

/** The files of such a line; null where it says more than names. */
export function pathsOf({ nodes }: Pick<Sentence, 'nodes'>): string[] | null {
  const words = nodes
    .map((node) => (node.type === 'inlineCode' ? ` ${node.value} ` : plainText(node)))
    .join('')
    .replace(filesMark, '')
    .replace(/\.\s*$/u, '');
  const names = words.split(/[\s,;]+/u).filter((word) => word !== '' && !/^(?:and|und|&)$/iu.test(word));
  return names.length > 0 && names.every((name) => path.test(name)) ? [...new Set(names)] : null;
}
