import { describe, expect, it } from 'vitest';
import { findDuplicates } from './find-duplicate.ts';

describe('issues with titles that say the same', () => {
  it.each<[string, string, boolean]>([
    ['Fix the slider that forgets its value', 'fix slider that forgets the value!', true],
    ['[Bug] Slider forgets its value', 'bug: The slider forgets its value', true],
    ['fix(ui): Slider forgets value', 'Slider forgets value', true],
    ['Slider forgets allocation value', 'Slider forgets alocation value', true],
    ['Slider forgets value', 'Slider forgets alue', false],
    ['Bug', 'Bug', false],
    ['Crash', 'crash!', false],
    ['Add support for Node 20 everywhere', 'Add support for Node 22 everywhere', false],
    ['Import of large files fails', 'Export of large files fails', false],
    ['Slider forgets its value', 'Slider does not forget its value', false],
    ['Table hides the menu', 'Menu hides the table', false],
    ['', '', false],
    ['修正 滑块 错误', '修正 滑块 错误', true],
  ])('%j and %j: %s', (title, other, isOne) => {
    const open = [
      { number: 42, title },
      { number: 9, title: other },
      { number: 7, title: other },
    ];
    expect(findDuplicates({ number: 42, title }, open)).toEqual(isOne ? [7, 9] : []);
    expect(findDuplicates({ number: 1, title: other }, [{ number: 2, title }])).toEqual(isOne ? [2] : []);
  });
});
