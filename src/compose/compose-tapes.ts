/** Makes what keeps the tapes of agents' runs, and what a replay of one needs. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PackagePrompts } from '../adapters/package-files/package-prompts.ts';
import { FileTapes } from '../adapters/tapes/file-tapes.ts';
import type { BaseConfig } from '../config/read-config.ts';
import type { KnownFolder } from '../fleet/tapes/export-tape.ts';
import type { Prompts } from '../ports/prompts.ts';
import type { Tapes } from '../ports/tapes.ts';

export function composeTapes(config: Pick<BaseConfig, 'dataFolder'>, packageRoot: string): Tapes {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return new FileTapes(join(config.dataFolder, 'tapes'), version);
}

/** The folders of this machine that a recording does not name, also where a link leads to them. */
export function listFolders(config: Pick<BaseConfig, 'dataFolder'>, repository: string): KnownFolder[] {
  const folders = [
    { path: repository, name: '/repository' },
    { path: config.dataFolder, name: '/data' },
    { path: homedir(), name: '/home' },
    { path: tmpdir(), name: '/temporary' },
  ];
  return folders.flatMap(({ path, name }) =>
    existsSync(path)
      ? [
          { path, name },
          { path: realpathSync(path), name },
        ]
      : [{ path, name }],
  );
}

/** The prompts of the package alone: a replay is in no repository. */
export function composePackagePrompts(packageRoot: string): Prompts {
  return new PackagePrompts(packageRoot, { readText: async () => null });
}
