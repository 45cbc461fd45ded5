/** A registry of packages with one package in it, whose archive is made on the spot, and the files of a project that needs it. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

export const registryHost = 'registry.packages.example';

const blockSize = 512;

/** One file in the oldest form of `tar` that all tools read. */
function archiveFile(path: string, content: string): Buffer {
  const body = Buffer.from(content);
  const header = Buffer.alloc(blockSize);
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  header.write(path, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(body.length, 12), 124);
  header.write(octal(499_162_500, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, body, Buffer.alloc((blockSize - (body.length % blockSize)) % blockSize)]);
}

const name = 'careful-numbers';
const version = '1.0.0';
const manifest = { name, version, type: 'module', exports: './index.js' };
const archive = gzipSync(
  Buffer.concat([
    archiveFile('package/package.json', JSON.stringify(manifest)),
    archiveFile(
      'package/index.js',
      'export function toNumber(value) {\n  const number = Number(value);\n  if (Number.isNaN(number)) throw new TypeError("not a number");\n  return number;\n}\n',
    ),
    Buffer.alloc(2 * blockSize),
  ]),
);
const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
const archivePath = `/${name}/-/${name}-${version}.tgz`;
const resolved = `https://${registryHost}${archivePath}`;

/** What a project has that gets the package from here with `npm ci`. */
export const projectFiles: Readonly<Record<string, string>> = {
  // Without the minute that npm waits before it tries again.
  '.npmrc': `registry=https://${registryHost}/\nfetch-retries=0\n`,
  '.gitignore': 'node_modules/\n',
  'package.json': `${JSON.stringify(
    { name: 'project', version: '0.0.0', private: true, type: 'module', dependencies: { [name]: version } },
    null,
    2,
  )}\n`,
  'package-lock.json': `${JSON.stringify(
    {
      name: 'project',
      version: '0.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'project', version: '0.0.0', dependencies: { [name]: version } },
        [`node_modules/${name}`]: { version, resolved, integrity },
      },
    },
    null,
    2,
  )}\n`,
};

export function serveRegistry(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === archivePath) {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(archive);
    return;
  }
  const isKnown = request.url === `/${name}`;
  const document = {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist: { tarball: resolved, integrity } } },
  };
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isKnown ? document : { error: 'Not found' }));
}
