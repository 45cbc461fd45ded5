/** An answer counts only when the model that was asked has given it: a smaller one reviews less well than was paid for. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { isReportedAsAsked, oldestOfAlias } from './reported-model.ts';

describe('the model that was asked, as providers name it', () => {
  it.each([
    ['claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5@20250929'],
    ['claude-sonnet-4-5', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['claude:claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['claude:sonnet', 'claude-sonnet-4-5-20250929'],
    ['claude:sonnet[1m]', 'claude-sonnet-4-5-20250929'],
    ['claude:sonnet[200k]', 'claude-sonnet-4-5'],
    ['claude:opus', 'claude-opus-4-20250514'],
    ['claude:default', 'claude-opus-4-1-20250805'],
    ['claude:haiku', 'claude-haiku-4-5-20251001'],
    ['gemini-flash-lite-latest', 'gemini-2.5-flash-lite-preview-09-2025'],
    ['gemini-flash-latest', 'gemini-2.5-flash'],
    ['gemini-pro', 'gemini-pro'],
    ['mistralai/mistral-large-3', 'mistralai/mistral-large-3'],
    ['mistralai/mistral-large-3', 'mistral-large-3'],
    ['meta-llama/llama-3-70b', 'Meta-Llama/Llama-3-70b'],
    ['openai/gpt-5', 'gpt-5'],
    ['gpt-5', 'openai/gpt-5-2025-08-07'],
    ['claude-opus-4-1', 'publishers/anthropic/models/claude-opus-4-1@20250805'],
    ['claude-opus-4-1', 'projects/p-1/locations/us-east5/publishers/anthropic/models/claude-opus-4-1'],
    ...['us', 'us-gov', 'eu', 'apac', 'jp', 'au', 'ca', 'sa', 'me', 'af', 'global'].map((place) => [
      'claude-opus-4-1',
      `${place}.anthropic.claude-opus-4-1-20250805-v1:0`,
    ]),
    ['claude:opusplan', 'claude-sonnet-4-5'],
    ['claude-opus', 'claude-opus-4-1'],
    ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022'],
    ['gemini-2.5-pro', 'models/gemini-2.5-pro-002'],
    ['gemini-2.5-pro', 'gemini-2.5-pro-preview-05-20'],
    ['gemini-2.5-pro', 'Gemini-2.5-Pro'],
    ['gemini-2.5-flash', 'gemini-2.5-flash-preview-09-2025'],
    ['gemini-2.5-pro-latest', 'gemini-2.5-pro'],
    ['gemini-pro-latest', 'gemini-3-pro-preview'],
    ['gpt-5', 'gpt-5-2025-08-07'],
    ['gpt-5', 'gpt-5-latest'],
    ['gpt-5-2025-08-07', 'gpt-5'],
    ['gpt-5-2025-08-07', 'gpt-5-2025-08-07'],
    ['gpt-4', 'gpt-4-0613'],
    ['o3', 'o3-2025-04-16'],
    ['o3-mini', 'o3-mini-2025-01-31'],
    ['mistral-large', 'mistral-large-2411'],
    ['deepseek-v3', 'deepseek-v3-0324'],
    ['qwen3', 'qwen3:latest'],
    ['home-made', 'home-made'],
    ['Home-Made-7b', 'home-made-7b'],
    ['cassette:gemini-recorded', 'gemini-recorded'],
    ['claude-sonnet-4-5', 'anthropic.claude-sonnet-4-5'],
    // Each word for how finished a model is, and each for "choose for me".
    ...['latest', 'preview', 'exp', 'experimental', 'stable'].map((stage) => [
      'gemini-2.5-pro',
      `gemini-2.5-pro-${stage}`,
    ]),
    ...['default', 'best', 'inherit', 'opusplan'].map((any) => [`claude:${any}`, 'claude-sonnet-4-5']),
    ...['default', 'best', 'inherit'].map((any) => [`claude:${any}`, 'claude-epic-6']),
    // Versions of two digits; kinds and houses of which no oldest version is known.
    ['claude-opus', 'claude-opus-10'],
    ['gemini-pro', 'gemini-2-55-pro'],
    ['claude-epic', 'claude-epic-2'],
    ['gpt-pro', 'gpt-2-pro'],
    // Signs at the end of a name.
    ['gpt-5', '-gpt-5:'],
  ])('%s asked, %s reported', (asked, reported) => {
    expect(isReportedAsAsked(asked, reported)).toBe(true);
  });
});

describe('another model', () => {
  it.each([
    ['gpt-5', 'gpt-5-nano'],
    ['gpt-5', 'gpt-5-mini'],
    ['gpt-5', 'gpt-5-mini-2025-08-07'],
    ['gpt-5', 'gpt-5-2025-08-07-mini'],
    ['gpt-5', 'gpt-5-chat-latest'],
    ['gpt-5', 'gpt-5.1'],
    ['gpt-5', 'gpt-4'],
    ['gpt-5', 'gpt'],
    ['gpt-5-pro', 'gpt-5-mini'],
    ['gpt-5-pro', 'gpt-5'],
    ['gpt-5-2025-08-07', 'gpt-5-2026-01-01'],
    ['gpt-4o', 'gpt-4o-mini'],
    ['gpt-4', 'gpt-4-turbo'],
    ['gpt', 'gpt-5-nano'],
    ['o3', 'o3-mini'],
    ['o3', 'o1'],
    ['o3-pro', 'o3'],
    ['claude-opus', 'claude-haiku'],
    ['claude-opus', 'claude-haiku-4-5'],
    ['claude-opus-4-1', 'claude-haiku-4-5'],
    ['claude-opus-4-1', 'claude-opus-4'],
    ['claude-opus-4-1', 'claude-sonnet-4-1'],
    ['claude-sonnet-4', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5', 'claude-sonnet-3-5'],
    ['claude-sonnet-4-5', 'gemini-2.5-pro'],
    ['claude:opus', 'claude-haiku-4-5'],
    ['claude:default', 'gpt-5'],
    ['gemini-2.5-pro', 'gemini-2.5-flash'],
    ['gemini-2.5-pro', 'gemini-2.5-pro-lite'],
    ['gemini-2.5-pro', 'gemini-2.5-pro-preview-flash'],
    ['gemini-2.5-flash', 'gemini-2.5-flash-lite'],
    ['gemini-2.5-flash', 'gemini-2.5-flash-8b'],
    ['gemini-2.5-pro', 'gemini-1.5-pro'],
    ['gemini-pro-latest', 'gemini-3-flash-preview'],
    ['gemini-2.5-pro', ''],
    ['gemini-2.5-pro', '-'],
    ['llama-3-70b', 'llama-3-8b'],
    ['mistral-large', 'mistral-small-2409'],
    ['deepseek-v3', 'deepseek-v2'],
    ['deepseek-v3', 'deepseek'],
    ['home-made', 'home-made-7b'],
    ['home-made', 'home'],
    ['home-made', 'other'],
    // The name of a house asks for no model, and two houses may use the same word.
    ['claude', 'claude-3'],
    ['gemini', 'gemini-3'],
    ['gpt', 'gpt-5'],
    ['gemini-pro', 'gpt-5-pro'],
    ['gemini-pro-max', 'gemini-promax'],
    ['mistral-2411', 'mistral'],
    // "Choose for me" is a word of one program only, and stands alone.
    ['default', 'claude-haiku-4-5'],
    ['openai:best', 'claude-haiku-4-5'],
    ['claude:best-7', 'claude-haiku-4-5'],
    ...['default', 'openai:best', 'claude:best-7'].map((asked) => [asked, 'claude-opus-4-1']),
    // Claude Code never asks another house.
    ...['default', 'best', 'inherit'].flatMap((any) => [
      [`claude:${any}`, 'gpt-5-pro'],
      [`claude:${any}`, 'gemini-2.5-pro'],
    ]),
    // A number with a letter is a size, and a number after "preview" is a day.
    ['gemini-flash', 'gemini-2.5-flash-8b'],
    ['gemini-flash', 'gemini-2.5-flash-b8'],
    ['gemini-pro', 'gemini-pro-preview-05-20'],
    ['gemini-pro', 'gemini-pro-003'],
    ['gemini-pro', 'gemini-pro-2-900'],
    ['claude-opus', 'claude-opus-20240229'],
    ['gpt-5', ':publishers/openai/models/gpt-5'],
    // It never chooses a small or an old one.
    ...['default', 'best', 'inherit', 'opusplan'].flatMap((any) => [
      [`claude:${any}`, 'claude-haiku-4-5'],
      [`claude:${any}`, 'claude-3-opus-20240229'],
      [`claude:${any}`, 'claude-3-7-sonnet-20250219'],
      [`claude:${any}`, 'claude-instant-1'],
      [`claude:${any}`, 'claude-2'],
      [`claude:${any}`, 'mini/claude-opus-4-1'],
    ]),
    ['claude:opusplan', 'claude-epic-6'],
    // A name without a version stands for a newer one than these.
    ['gemini-pro-latest', 'gemini-1.0-pro'],
    ['gemini-pro-latest', 'gemini-1.5-pro-002'],
    ['gemini-pro-latest', 'gemini-2.0-pro-exp-02-05'],
    ['gemini-pro', 'gemini-pro-001'],
    ['gemini-flash-latest', 'gemini-1.5-flash'],
    ['gemini-flash-latest', 'gemini-2.0-flash'],
    ['gemini-flash-lite-latest', 'gemini-2.0-flash-lite'],
    ['claude:opus', 'claude-3-opus-20240229'],
    ['claude-opus', 'claude-3-opus'],
    ['claude:sonnet', 'claude-3-5-sonnet-20241022'],
    ['claude:haiku', 'claude-3-5-haiku-20241022'],
    // What stands before a name may say that it is another.
    ['gpt-5', 'mini/gpt-5'],
    ['gpt-5', 'nano/openai/gpt-5'],
    ['gpt-5', 'x/models/gpt-5'],
    ['gpt-5', 'mini.anthropic.gpt-5'],
    ['openai/gpt-5', 'mini/gpt-5'],
    ['claude-opus-4-1', 'haiku/claude-opus-4-1'],
    ['claude-opus-4-1', 'mini.anthropic.claude-opus-4-1'],
    ['claude-opus-4-1', 'publishers/other/models/claude-opus-4-1'],
    ['meta-llama/llama-3-70b', 'tiny/llama-3-70b'],
    // What may stand before a name or after it does not stand elsewhere.
    ['gpt-5', 'gpt-5-cassette:'],
    ['gpt-5', 'gpt-5-openai:'],
    ['gpt-5', 'gpt-5-anthropic.'],
    ['gpt-5', 'gpt-5[mini]-2025-08-07'],
    ['gpt-5', 'gpt-5[1m]-2025-08-07'],
    ['', 'gpt-5'],
    ['latest', 'gpt-5'],
  ])('%s asked, %s reported', (asked, reported) => {
    expect(isReportedAsAsked(asked, reported)).toBe(false);
  });

  it.each(['gpt-5[nano]', 'gpt-5[mini]', 'gpt-5[1m-lite]'])('is %s, whatever brackets it is in', (reported) =>
    expect(isReportedAsAsked('gpt-5', reported)).toBe(false),
  );

  it('is whatever follows the name and is no stamp', () => {
    const asked = fc.constantFrom(
      'gpt-5',
      'o3',
      'claude-opus-4-1',
      'claude-opus',
      'gemini-2.5-pro',
      'gpt-5-2025-08-07',
      'qwen3',
      'home-made',
    );
    const size = fc.constantFrom(
      'nano',
      'mini',
      'lite',
      'flash',
      'haiku',
      'small',
      'tiny',
      '8b',
      'fast',
      'turbo',
      'air',
      'spark',
      'xs',
      'distill',
      'q4',
    );
    const stamp = fc.constantFrom(
      '',
      '-latest',
      '-preview',
      '-preview-05-20',
      '-20250929',
      '-2025-08-07',
      '-001',
      '-0613',
    );
    const sign = fc.constantFrom('-', '.', '_', ':', '@');
    fc.assert(
      fc.property(asked, stamp, sign, size, stamp, (name, before, between, word, after) => {
        expect(isReportedAsAsked(name, `${name}${before}${between}${word}${after}`)).toBe(false);
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  it('is one that is older than what a name without a version stands for, by every row of the table', () => {
    for (const [family, kind, version] of oldestOfAlias) {
      const size = kind.replace(' ', '-');
      const named = (number: string) =>
        family === 'claude' ? `claude-${size}-${number}` : `${family}-${number}-${size}`;
      const alias = `${family}-${size}-latest`;
      expect(isReportedAsAsked(alias, named(String(version).replace('.', '-')))).toBe(true);
      expect(isReportedAsAsked(alias, named(String(Math.ceil(version) + 1)))).toBe(true);
      expect(isReportedAsAsked(alias, named(String(Math.ceil(version) - 1)))).toBe(false);
      expect(isReportedAsAsked(alias, named('1-0'))).toBe(false);
    }
  });

  it('is whatever has a word before its name that no provider writes there', () => {
    const word = fc
      .stringMatching(/^[a-z]{2,8}$/u)
      .filter((one) => !['anthropic', 'openai', 'google', 'models'].includes(one));
    fc.assert(
      fc.property(word, fc.constantFrom('/', '.', '-', ':', '/models/', '.anthropic.'), (before, between) => {
        fc.pre(!/^(?:us|eu|jp|au|ca|sa|me|af|apac|global|claude|cassette)$/u.test(before));
        expect(isReportedAsAsked('gpt-5', `${before}${between}gpt-5`)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
