import { describe, expect, it } from 'vitest';
import { anchorsOf, findDrift } from './doc-drift.ts';

const files = [
  'README.md',
  'docs/guide.md',
  'docs/deep/more.md',
  'src/report.ts',
  'src/server/index.ts',
  'scripts/run.sh',
];

function drift(
  text: string,
  more: { path?: string; scripts?: string[] | null; targets?: string[] | null } = {},
) {
  return findDrift({
    documents: [
      { path: more.path ?? 'README.md', text },
      { path: 'docs/guide.md', text: '# The Guide\n\n## Set up\n\n## Set up\n' },
    ],
    files,
    scripts: more.scripts === undefined ? ['build', 'test:unit'] : more.scripts,
    targets: more.targets === undefined ? ['all', 'clean'] : more.targets,
  }).filter((item) => item.document === (more.path ?? 'README.md'));
}

describe('findDrift', () => {
  it.each([
    ['a file in back-ticks that is there', 'See `src/report.ts`, `src/server/` and `src/report.ts:12`.'],
    ['something that only looks like a path', 'Use `and/or`, `application/json`, `a/b`, `@scope/package`.'],
    [
      'a link that leads somewhere',
      '[guide](docs/guide.md), [part](docs/guide.md#set-up-1), [top](#head)\n\n# Head',
    ],
    ['a link to elsewhere', '[x](https://example.com/nothing) [m](mailto:a@b) <https://example.com>'],
    ['a script that exists', '```sh\nnpm run build && npm run test:unit\n```'],
    ['a target that exists', 'Run `make clean`.'],
    ['code that is not for a shell', '```ts\nimport "src/nothing.ts"\n```'],
    ['a program that exists', '```sh\n$ ./scripts/run.sh --fast\nbash scripts/run.sh\n```'],
  ])('leaves %s', (_, text) => expect(drift(text)).toEqual([]));

  it.each([
    [
      'a file that is gone',
      'One\n\nSee `src/reprot.ts`.',
      { line: 3, kind: 'path', text: 'src/reprot.ts', meant: ['src/report.ts'] },
    ],
    ['a file that moved', '`src/index.ts`', { kind: 'path', meant: ['src/server/index.ts'] }],
    ['a dead link', '[x](docs/giude.md)', { kind: 'link', text: 'docs/giude.md', meant: ['docs/guide.md'] }],
    ['a dead picture', '![x](docs/a.png)', { kind: 'link' }],
    ['a dead anchor', '[x](docs/guide.md#set-upp)', { kind: 'anchor', meant: ['set-up', 'set-up-1'] }],
    [
      'a script that is gone',
      '```sh\nnpm ci\nnpm run biuld\n```',
      { line: 3, kind: 'script', meant: ['build'] },
    ],
    ['a target that is gone', '`make claen`', { kind: 'target', meant: ['clean'] }],
    ['a program that is gone', '```\nnode scripts/runn.sh\n```', { kind: 'path', text: 'scripts/runn.sh' }],
  ])('finds %s', (_, text, item) => {
    const [first, ...rest] = drift(text);
    expect(first).toMatchObject(item);
    expect(rest).toEqual([]);
  });

  it('reads links from where the document is', () => {
    expect(drift('[a](more.md) [b](../guide.md) [c](/src/report.ts)', { path: 'docs/deep/x.md' })).toEqual(
      [],
    );
    const [dead] = drift('[a](guide.md)', { path: 'docs/deep/x.md' });
    expect(dead?.kind).toBe('link');
    expect(dead?.meant[0]).toBe('docs/guide.md');
    expect(drift('[a](../../../../etc/passwd)', { path: 'docs/deep/x.md' })).toEqual([]);
  });

  it('says nothing about scripts where there are none', () => {
    expect(drift('`npm run x`, `make x`', { scripts: null, targets: null })).toEqual([]);
  });
});

describe('anchorsOf', () => {
  it('makes them as GitHub does', () => {
    expect([...anchorsOf('# A B: c!\n\n## A B: c!\n\n## `code` x\n\n<a name="own"></a>')]).toEqual([
      'a-b-c',
      'a-b-c-1',
      'code-x',
      'own',
    ]);
  });
});
