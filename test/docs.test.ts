/** Every command that the documentation shows in an `sh` block is run, page by page, in a repository of its own. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Nodes } from 'mdast';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../src/domain/text/markdown.ts';
import { GithubServer } from './support/github-server.ts';
import { Playground, programFile } from './support/playground.ts';
import { isLong } from './support/property-runs.ts';

const root = join(import.meta.dirname, '..');

function listPages(): string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return [
    'README.md',
    'CONTRIBUTING.md',
    'AGENTS.md',
    'SECURITY.md',
    ...docs.map((name) => join('docs', name)),
  ];
}

function shellBlocks(page: string): string[] {
  return parseMarkdown(readFileSync(join(root, page), 'utf8')).children.flatMap((node) =>
    node.type === 'code' && node.lang === 'sh' && node.meta !== 'no-run' ? [node.value] : [],
  );
}

function linksOf(node: Nodes): string[] {
  const own = node.type === 'link' ? [node.url] : [];
  return 'children' in node ? [...own, ...node.children.flatMap(linksOf)] : own;
}

const pages = listPages();
/** The examples, the loop and the pipeline have tests of their own, with more of a machine around them. */
const withCommands = pages.filter(
  (page) =>
    shellBlocks(page).length > 0 &&
    !page.startsWith(join('docs', 'examples')) &&
    !['loop.md', 'pipeline.md'].some((name) => page === join('docs', name)),
);
/** The pages that people begin with; `npm run test:long` runs all. */
const first = ['README.md', join('docs', 'start.md')];
const tried = withCommands.filter((page) => isLong || first.includes(page));

describe('the documentation', () => {
  it.each(tried)('%s: its commands work', async (page) => {
    const playground = new Playground();
    const bin = join(playground.folder, 'bin');
    mkdirSync(bin);
    symlinkSync(programFile, join(bin, 'gatewright'));
    playground.write(
      'notes.md',
      '# Notes\n\nSome notes that somebody wrote down in a hurry, long enough to count.\n\n- one thing\n',
    );
    const script = join(playground.folder, 'page.sh');
    // The ledger page talks about a run that a reader has made before.
    const prelude = page.endsWith('ledger.md')
      ? 'gatewright issue --brief ideas/active/export-csv.md --auto\n'
      : '';
    writeFileSync(script, `set -eux\n${prelude}${shellBlocks(page).join('\n')}\n`);
    // A GitHub for the page about it; to the others it makes no difference.
    const github = await GithubServer.start();
    github.addUser('you', 'a-token');
    github.state.addRepository('acme/project', { you: 'write' });
    playground.git('remote', 'add', 'origin', 'git@github.com:acme/project.git');
    const env = {
      ...playground.environment,
      PATH: [bin, playground.environment.PATH].join(delimiter),
      GATEWRIGHT_GITHUB_URL: github.url,
      GITHUB_TOKEN: 'a-token',
    };
    const running = promisify(execFile)('bash', [script], { cwd: playground.repository, env });
    running.child.stdin?.end();
    await expect(running).resolves.toBeDefined();
    await github.close();
    playground.remove();
  });

  it('the list of decisions names every one of them, by its title', () => {
    const folder = join(root, 'docs/decisions');
    const index = readFileSync(join(folder, 'README.md'), 'utf8');
    const files = readdirSync(folder).filter((name) => name !== 'README.md');
    const lines = files.sort().map((name) => {
      const title = readFileSync(join(folder, name), 'utf8').split('\n')[0]?.replace(/^# /u, '');
      return `- ${name.slice(0, 10)}: [${title}](${name})`;
    });
    expect(index.split('\n').filter((line) => line.startsWith('- '))).toEqual(lines);
  });

  it.each(pages)('%s: its links lead somewhere', (page) => {
    const targets = linksOf(parseMarkdown(readFileSync(join(root, page), 'utf8'))).filter(
      (url) => !/^https?:/u.test(url),
    );
    for (const target of targets) {
      const file = join(root, page, '..', target.replace(/#.*$/u, ''));
      expect(() => readdirOrRead(file), `${page} → ${target}`).not.toThrow();
    }
  });
});

function readdirOrRead(file: string): unknown {
  try {
    return readdirSync(file);
  } catch {
    return readFileSync(file);
  }
}
