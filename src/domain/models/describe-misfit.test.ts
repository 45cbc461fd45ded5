/** Every field that is wrong is named, with what was expected. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeMisfit, listMisfits } from './describe-misfit.ts';

const form = z.strictObject({
  title: z.string(),
  tasks: z.array(z.object({ commands: z.array(z.string()).min(1) })),
});
const errorOf = (value: unknown) => form.safeParse(value).error;

describe('an answer that does not fit', () => {
  it('is told with the paths of all fields', () => {
    const error = errorOf({ title: 3, tasks: [{ commands: ['a'] }, { commands: [] }], more: 1 });
    const lines = listMisfits(error);
    expect(lines).toHaveLength(3);
    expect(lines.find((one) => one.startsWith('title: '))).toMatch(/expected string, received number/u);
    expect(lines.find((one) => one.startsWith('tasks[1].commands: '))).toMatch(/>=1/u);
    expect(lines.find((one) => one.startsWith('the whole answer: '))).toContain('"more"');
    expect(describeMisfit(error)).toMatch(/^the answer does not fit the schema: .*tasks\[1\]\.commands: /u);
  });

  it('is told apart from none at all', () => {
    expect(describeMisfit(errorOf(undefined))).toBe(
      'the answer does not fit the schema: the whole answer is missing',
    );
    expect(listMisfits(errorOf('x'))[0]).toMatch(/^the whole answer: .*received string/u);
  });

  it('is found in the error that it caused', () => {
    const cause = new Error('second', { cause: errorOf({ title: 'x' }) });
    expect(listMisfits(new Error('first', { cause }))).toEqual([
      'tasks: Invalid input: expected array, received undefined',
    ]);
    expect(describeMisfit(new Error('other'))).toBe('the answer does not fit the schema');
    expect(listMisfits(null)).toEqual([]);
  });

  it('is told in short lines of plain text, and not without end', () => {
    const wide = z.strictObject({}).safeParse({ ['\u001b[31m\n'.repeat(100)]: 1 }).error;
    const [line = ''] = listMisfits(wide);
    expect(line.length).toBeLessThanOrEqual(210);
    expect(line).not.toMatch(/[\u0000-\u001f]/u);
    const many = z.array(z.string()).safeParse(Array.from({ length: 99 }, () => 1)).error;
    expect(listMisfits(many)).toHaveLength(31);
    expect(listMisfits(many).at(-1)).toBe('and 69 more');
  });
});
