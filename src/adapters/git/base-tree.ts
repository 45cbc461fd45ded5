/** The files of the commit that work began from, with their sizes, and its folders. */
import type { TreeFile } from '../../domain/changes/tree-file.ts';
import { kindOfMode } from './tree-files.ts';

export interface SizedTreeFile extends TreeFile {
  /** In bytes; 0 for repositories. */
  readonly size: number;
}

export class BaseTree {
  readonly files: ReadonlyMap<string, SizedTreeFile>;
  readonly folders: ReadonlySet<string>;

  /** @param output of `ls-tree -r -z -l` */
  constructor(output: string) {
    const files = output
      .split('\0')
      .filter((line) => line !== '')
      .map((line): SizedTreeFile => {
        const tab = line.indexOf('\t');
        const [mode = '', , object = '', size = ''] = line.slice(0, tab).split(/ +/u);
        return { path: line.slice(tab + 1), kind: kindOfMode(mode), object, size: Number(size) || 0 };
      });
    this.files = new Map(files.map((file) => [file.path, file] as const));
    const folders = new Set<string>();
    for (const { path } of files)
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
        const folder = path.slice(0, at);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    this.folders = folders;
  }

  get(path: string): SizedTreeFile | undefined {
    return this.files.get(path);
  }

  /** As a file or as a folder. */
  has(path: string): boolean {
    return this.files.has(path) || this.folders.has(path);
  }
}
