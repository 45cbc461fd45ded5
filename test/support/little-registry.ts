/** A registry of npm packages on this machine that has what the published program depends on, from this checkout. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const modules = join(import.meta.dirname, '..', '..', 'node_modules');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Packs a folder as `npm pack` does, without building anything; returns the name of the file. */
export function packFolder(folder: string, into: string): string {
  const before = new Set(readdirSync(into));
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', into];
  execFileSync('npm', words, { cwd: folder, stdio: 'ignore' });
  return readdirSync(into).find((name) => !before.has(name)) ?? '';
}

/** The dependencies of a package with theirs. */
function listAll(names: readonly string[], found = new Map<string, Manifest>()): Map<string, Manifest> {
  for (const name of names) {
    if (found.has(name)) continue;
    const manifest = readManifest(join(modules, name));
    found.set(name, manifest);
    listAll(Object.keys(manifest.dependencies ?? {}), found);
  }
  return found;
}

export interface LittleRegistry {
  readonly url: string;
  stop(): void;
}

/** `into` gets the archives. */
export async function startRegistry(names: readonly string[], into: string): Promise<LittleRegistry> {
  const archives = new Map<string, Buffer>();
  const documents = new Map<string, (url: string) => object>();
  for (const [name, manifest] of listAll(names)) {
    const archive = readFileSync(join(into, packFolder(join(modules, name), into)));
    const path = `/${name}/-/${manifest.version}.tgz`;
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    archives.set(path, archive);
    documents.set(`/${name}`, (url) => ({
      name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: { ...manifest, dist: { tarball: `${url}${path}`, integrity } } },
    }));
  }
  const server = createServer((request, response) => {
    const [asked = ''] = decodeURIComponent(request.url ?? '').split('?');
    const archive = archives.get(asked);
    const document = documents.get(asked)?.(`http://${request.headers.host}`);
    if (archive !== undefined) response.end(archive);
    else if (document !== undefined) response.end(JSON.stringify(document));
    else response.writeHead(404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
