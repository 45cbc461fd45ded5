/** What is said of a page that could not be drawn. */
import { describe, expect, it } from 'vitest';
import { describeFailure } from './describe-failure.ts';

describe('a failure', () => {
  it.each([
    'Failed to fetch dynamically imported module: http://127.0.0.1:8787/assets/gate-page-aaaaaaaa.js',
    'error loading dynamically imported module: http://127.0.0.1:8787/assets/gate-page-aaaaaaaa.js',
    'Importing a module script failed.',
  ])('to load a part is one of the server: %s', (said) => {
    expect(describeFailure(new TypeError(said))).toMatchObject({
      code: 'server-absent',
      detail: 'A part of the program did not load.',
    });
  });

  it.each([
    [new Error('x is undefined'), 'x is undefined'],
    ['thrown words', 'thrown words'],
  ])('of another kind is one of ours, with its words', (failure, words) => {
    expect(describeFailure(failure)).toMatchObject({ code: 'internal', details: [words] });
  });
});
