import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../config/read-config.ts';
import type { RunSummary } from '../../../domain/ledger/run.ts';
import { linkSubjects } from './link-subjects.ts';
import { Terminal } from './terminal.ts';

class Noted extends Terminal {
  readonly links: string[] = [];

  override link(url: string): string {
    this.links.push(url);
    return url;
  }
}

type LinkedRun = Parameters<typeof linkSubjects>[1][number];

function run(subject: string, forge: 'local' | 'github', url?: string): LinkedRun {
  const repository = subject.split('#')[0] ?? '';
  const request = { repository, forge } as unknown as RunSummary['request'];
  return { subject, request, result: url === undefined ? null : { number: 1, url } };
}

function linksOf(
  runs: readonly LinkedRun[],
  subjects: readonly string[] = [],
  environment: Record<string, string> = {},
): string[] {
  const terminal = new Noted({ mayAsk: false, isPlain: true });
  linkSubjects({ terminal, config: readConfig(environment, {}) }, runs, subjects);
  return terminal.links;
}

describe('the subjects of runs', () => {
  it('on GitHub are links to its own server', () => {
    expect(linksOf([run('acme/project#7', 'github')], ['acme/project#8', 'other/one#1'])).toEqual([
      'https://github.com/acme/project/issues/7',
      'https://github.com/acme/project/issues/8',
    ]);
  });

  it('on another server are links where it gave us an address', () => {
    const there = { GATEWRIGHT_GITHUB_URL: 'https://git.example/api/v3' };
    expect(linksOf([run('acme/project#7', 'github')], [], there)).toEqual([]);
    const known = 'https://git.example/acme/project/issues/1';
    expect(linksOf([run('acme/project#7', 'github', known)], [], there)).toEqual([
      known,
      'https://git.example/acme/project/issues/7',
    ]);
  });

  it.each(['acme/project:slug', 'acme/project@abc', 'acme/project~daily-digest', 'acme/pro ject#1'])(
    'that have no number are none: %s',
    (subject) => expect(linksOf([run(subject, 'github')])).toEqual([]),
  );

  it('on the local forge are none', () => {
    expect(linksOf([run('local/project#7', 'local')])).toEqual([]);
  });
});
