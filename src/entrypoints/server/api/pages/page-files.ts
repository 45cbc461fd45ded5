/** The files of the pages, as `scripts/build-pages.ts` makes them. They are the same for everybody and hold no data. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Bytes = Uint8Array<ArrayBuffer>;

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The name says by its hash what is in the file: under one name there is never anything else. */
const assetName = /^[A-Za-z0-9_-]{1,60}-[A-Za-z0-9_-]{8}\.(js|css|svg)$/u;

export class PageFiles {
  readonly #folder: string;

  /** @param folder what was built; it need not be there */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The page that shows everything, or the one that says how to get in; null when the pages are not built. */
  readPage(name: 'index' | 'signed-out'): Promise<Bytes | null> {
    return this.#read(`${name}.html`);
  }

  /** A checkout has no pages before they are built. */
  async areBuilt(): Promise<boolean> {
    return (await this.readPage('index')) !== null;
  }

  /** Null when there is no such file. */
  async readAsset(name: string): Promise<{ readonly type: string; readonly bytes: Bytes } | null> {
    const type = types[assetName.exec(name)?.[1] ?? ''];
    const bytes = type === undefined ? null : await this.#read(join('assets', name));
    return type === undefined || bytes === null ? null : { type, bytes };
  }

  async #read(path: string): Promise<Bytes | null> {
    try {
      return new Uint8Array(await readFile(join(this.#folder, path)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}
