/** What is shown of toolchains when there is too much to look through, and when the home is not the one of the search path. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTools, type Surroundings, usualSurroundings } from './find-tools.ts';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-closed-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text = 'x\n'): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const compiled = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync('/bin/echo', path);
  chmodSync(path, 0o755);
};

const onlyPlaces = (found: readonly { readonly from: string }[]): string[] => found.map(({ from }) => from);

describe('the search for secrets', () => {
  let home = '';
  const node = (): string => join(home, '.nvm/versions/node/v20');
  const python = (): string => join(home, '.local/lib/python3.12');
  const token = (): string => join(node(), 'etc/npmrc');
  const environment = (): Record<string, string> => ({
    HOME: home,
    PATH: `${join(home, '.local/bin')}:${join(node(), 'bin')}:/usr/bin:/bin`,
  });

  beforeAll(() => {
    home = join(folder, 'big');
    for (let each = 0; each < 40; each += 1) write(join(python(), `site-packages/p${each}/x.py`));
    write(join(python(), 'site-packages/z/pip.conf'));
    compiled(join(home, '.local/bin/python3'));
    compiled(join(node(), 'bin/node'));
    mkdirSync(join(node(), 'lib'));
    for (let each = 0; each < 10; each += 1) write(join(node(), `more/m${each}/x`));
    write(token());
  });

  const find = (mostFolders: number, wanted: readonly string[] = []) =>
    findTools(environment(), wanted, { ...usualSurroundings(), mostFolders });

  it('counts for each folder that is shown, so a large one leaves the others no less covered', () => {
    // Python has 43 folders and Node.js 13; 50 are enough for each, and not for both.
    const { shown, concealed, refused } = find(50);
    expect(shown).toEqual(expect.arrayContaining([python(), node()]));
    expect(onlyPlaces(concealed).sort()).toEqual(
      [join(python(), 'site-packages/z/pip.conf'), token()].sort(),
    );
    expect(refused).toEqual([]);
  });

  it('that does not come to an end leaves the folder unseen, and says so', () => {
    const { shown, places, concealed, refused } = find(20);
    expect(shown).toContain(node());
    expect(shown).not.toContain(python());
    expect(onlyPlaces(places)).not.toContain(python());
    expect(onlyPlaces(concealed)).toEqual([token()]);
    const why = 'has more than 20 folders, too many to search for secrets';
    expect(refused).toEqual([{ path: python(), why, isNamed: false }]);
  });

  it('takes with the folder what would lead into it', () => {
    const base = join(folder, 'base');
    for (let each = 0; each < 10; each += 1) write(join(base, `lib/python3.12/p${each}/x.py`));
    const { shown, searchPath, programs, variables } = findTools(
      { ...environment(), PYTHONUSERBASE: base, NVM_DIR: node(), VIRTUAL_ENV: join(node(), 'more') },
      [],
      { ...usualSurroundings(), mostFolders: 5 },
    );
    expect(shown).toEqual([join(home, '.local/bin/python3')]);
    expect(searchPath).toEqual([]);
    expect(Object.keys(programs)).toEqual(['python3']);
    expect(variables).toEqual({});
  });

  it('is no shorter for a folder that a person named; what was found inside it is judged by itself', () => {
    const tools = join(folder, 'tools');
    for (let each = 0; each < 60; each += 1) write(join(tools, `t${each}/x`));
    const small = join(tools, 'small');
    write(join(small, '.npmrc'));
    const { shown, concealed, refused } = find(50, [tools, small]);
    expect(shown).toContain(small);
    expect(shown).not.toContain(tools);
    expect(onlyPlaces(concealed)).toContain(join(small, '.npmrc'));
    expect(refused.map(({ path }) => path)).toEqual([tools]);
  });

  it('goes through what honest toolchains have', () => {
    expect(usualSurroundings().mostFolders).toBeGreaterThanOrEqual(20_000);
  });
});

describe('a search path that leads into the home of somebody else', () => {
  let surroundings: Surroundings;
  const alice = (): string => join(folder, 'homes/alice');

  /** Below a home, with programs beside what is private. */
  function furnish(home: string): void {
    for (const name of ['.local/bin/tool', '.ssh/bin/tool', '.config/x/bin/tool', 'prefix/bin/tool'])
      compiled(join(home, name));
    for (const name of ['.local', '.ssh', '.config/x', 'prefix']) write(join(home, name, 'lib/x'));
    write(join(home, '.local/share/keyrings/login'));
    write(join(home, 'prefix/private'));
  }

  beforeAll(() => {
    furnish(alice());
    furnish(join(folder, 'service'));
    furnish(join(folder, 'disk/bob'));
    symlinkSync(join(folder, 'disk/bob'), join(folder, 'homes/bob'));
    symlinkSync(join(folder, 'homes'), join(folder, 'people'));
    symlinkSync(join(alice(), '.local'), join(folder, 'innocent'));
    surroundings = {
      ...usualSurroundings(),
      homes: [join(folder, 'service'), join(folder, 'nobody')],
      homeParents: [join(folder, 'people'), join(folder, 'Users')],
    };
  });

  const entries = ['.local/bin', '.ssh/bin', '.config/x/bin', 'prefix/bin'];

  it.each([
    ['one of many, without a home', 'homes/alice', 'homes/alice', ''],
    ['one of many, with another home', 'homes/alice', 'homes/alice', 'service'],
    ['one of many, by a link to all of them', 'people/alice', 'homes/alice', ''],
    ['one that is on another disk', 'homes/bob', 'disk/bob', 'homes/alice'],
    ['the one of the account itself', 'service', 'service', 'homes/alice'],
  ])('sees programs, and nothing that is private: %s', (_, named, real, home) => {
    const PATH = entries.map((entry) => join(folder, named, entry)).join(':');
    const given = { PATH, ...(home === '' ? {} : { HOME: join(folder, home) }) };
    const at = (path: string): string => join(folder, real, path);
    expect(findTools(given, [], surroundings).shown).toEqual([
      ...[at('.local/bin/tool'), at('prefix/bin'), at('prefix/lib')],
    ]);
  });

  it('sees no more by a link from elsewhere', () => {
    const { shown } = findTools({ PATH: join(folder, 'innocent/bin') }, [], surroundings);
    expect(shown).toEqual([join(alice(), '.local/bin/tool')]);
  });

  it.each([
    ['homes', 'contains more than tools, such as logins'],
    ['homes/alice', 'contains more than tools, such as logins'],
    ['homes/bob', 'contains more than tools, such as logins'],
    ['disk', 'contains more than tools, such as logins'],
    ['service', 'contains more than tools, such as logins'],
    ['homes/alice/.local', 'contains more than tools, such as logins'],
    ['homes/alice/.local/share', 'contains more than tools, such as logins'],
    ['homes/alice/.local/share/keyrings', 'is a folder for logins'],
    ['homes/bob/.ssh', 'is a folder for logins'],
    ['service/.config/x', 'is a folder for logins'],
  ])('is refused %s by name as well: it %s', (path, why) => {
    const found = findTools({ PATH: '' }, [join(folder, path)], surroundings);
    expect(found).toMatchObject({ shown: [], refused: [{ path: join(folder, path), why, isNamed: true }] });
  });

  // Root can list everything.
  it.skipIf(userInfo().uid === 0)('sees no more where homes cannot be listed, and one is a link', () => {
    chmodSync(join(folder, 'homes'), 0o311);
    try {
      const { shown } = findTools({ PATH: join(folder, 'homes/bob/.local/bin') }, [], surroundings);
      expect(shown).toEqual([join(folder, 'disk/bob/.local/bin/tool')]);
    } finally {
      chmodSync(join(folder, 'homes'), 0o755);
    }
  });

  it('knows the homes of this machine', () => {
    const { homes, homeParents } = usualSurroundings();
    expect(homes).toEqual(expect.arrayContaining(['/root', userInfo().homedir]));
    expect(homeParents).toEqual(['/home', '/Users']);
  });
});
