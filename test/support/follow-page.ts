/** Follows the example of a page line by line, as a reader types it, in a repository of its own. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { parseMarkdown } from '../../src/domain/text/markdown.ts';
import { type Playground, programFile } from './playground.ts';

export interface FollowedLine {
  readonly line: string;
  /** 0 when it is done, 10 when it waits for a person, as the pages say; no other is let pass. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function followPage(
  page: string,
  { folder, repository, environment }: Playground,
  models: Readonly<Record<string, string>>,
): FollowedLine[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8');
  const lines = parseMarkdown(text).children.flatMap((node) =>
    node.type === 'code' && node.lang === 'sh' && node.meta !== 'no-run' ? node.value.split('\n') : [],
  );
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(programFile, join(bin, 'gatewright'));
  const env = { ...environment, ...models, PATH: [bin, environment.PATH].join(delimiter) };
  return lines.map((line) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
      cwd: repository,
      env,
      encoding: 'utf8',
    });
    expect([0, 10], `${line}\n${stdout}${stderr}`).toContain(status);
    return { line, code: status, stdout, stderr };
  });
}
