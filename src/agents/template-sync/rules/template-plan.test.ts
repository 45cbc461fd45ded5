import { describe, expect, it } from 'vitest';
import type { TreeFile } from '../../../domain/changes/tree-file.ts';
import { planTemplate, renderSync, type TemplatePlan } from './template-plan.ts';

/** `a.txt=1` is a file with content 1; a trailing `*` makes it a program, `>` a link. */
function files(...words: string[]): TreeFile[] {
  return words.map((word) => {
    const [path = '', object = ''] = word.split('=');
    const kind = object.endsWith('*') ? 'program' : object.endsWith('>') ? 'link' : 'file';
    return { path, object: object.replace(/[*>]$/u, ''), kind };
  });
}

const none: TemplatePlan = { take: [], merge: [], conflicts: [], gone: [], refused: [] };

describe('planTemplate', () => {
  it.each<[string, string[] | null, string[], string[], Partial<TemplatePlan>]>([
    ['nothing new', ['a=1'], ['a=1'], ['a=2'], {}],
    ['the same change here', ['a=1'], ['a=2'], ['a=2'], {}],
    ['changed there', ['a=1'], ['a=2'], ['a=1'], { take: ['a'] }],
    ['new there', [], ['a=1'], [], { take: ['a'] }],
    ['removed there', ['a=1'], [], ['a=1'], { take: ['a'] }],
    ['removed on both sides', ['a=1'], [], [], {}],
    ['removed there, changed here', ['a=1'], [], ['a=2'], { conflicts: ['a'] }],
    ['changed there, removed here', ['a=1'], ['a=2'], [], { gone: ['a'] }],
    ['changed on both sides', ['a=1'], ['a=2'], ['a=3'], { merge: ['a'] }],
    ['new on both sides', [], ['a=2'], ['a=3'], { conflicts: ['a'] }],
    ['made a program there', ['a=1'], ['a=1*'], ['a=1'], { take: ['a'] }],
    ['made a link there, changed here', ['a=1'], ['a=2>'], ['a=3'], { conflicts: ['a'] }],
    ['a file here where a folder is there', [], ['a/b=1'], ['a=1'], { conflicts: ['a/b'] }],
    ['a folder here where a file is there', [], ['a=1'], ['a/b=1'], { conflicts: ['a'] }],
    ['a file that became a folder there', ['a=1'], ['a/b=1'], ['a=1'], { take: ['a', 'a/b'] }],
    ['a folder that became a file there', ['a/b=1'], ['a=1'], ['a/b=1'], { take: ['a', 'a/b'] }],
    ['the first time', null, ['a=1', 'b=1', 'c=1'], ['a=1', 'b=2', 'd=1'], { take: ['b', 'c'] }],
    ['the first time, in the way', null, ['a/b=1'], ['a=1'], { conflicts: ['a/b'] }],
    ['kept out', [], ['no/a=1', 'b=1'], [], { take: ['b'] }],
    ['must not come in', [], ['bad=1>', 'b=1'], [], { take: ['b'], refused: ['bad'] }],
  ])('%s', (_, before, now, ours, expected) => {
    const plan = planTemplate({
      before: before === null ? null : files(...before),
      now: files(...now),
      ours: files(...ours),
      isIgnored: (path) => path.startsWith('no/'),
      unsafe: ['bad'],
    });
    expect(plan).toEqual({ ...none, ...expected });
  });
});

it('names the files so that their names do nothing', () => {
  const text = renderSync({
    ...{
      source: 'https://example.com/t',
      template: 'a'.repeat(40),
      since: null,
      merged: [],
      gone: [],
      refused: [],
    },
    taken: ['@all/`x`.md'],
    conflicts: ['b.md'],
  });
  expect(text).toContain('- ``@all/`x`.md``');
  expect(text.indexOf('## Conflicts')).toBeLessThan(text.indexOf('## As in the template'));
});
