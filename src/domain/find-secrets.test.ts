/** Keys in what a change adds are found by their form; what it removes or only mentions is not. */
import { describe, expect, it } from 'vitest';
import { findSecrets } from './find-secrets.ts';

const diffOf = (...lines: string[]): string => {
  const added = lines.filter((line) => !line.startsWith('-')).length;
  const removed = lines.filter((line) => !line.startsWith('+')).length;
  return `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,${removed} +7,${added} @@\n${lines.join('\n')}\n`;
};

/** Put together here, so that no file of ours holds anything that looks like a key. */
const keys: readonly [string, string][] = [
  ['a GitHub token', `ghp_${'aB3d'.repeat(9)}`],
  ['a GitHub token', `github_pat_${'aB3d'.repeat(20)}`],
  ['a GitLab token', `glpat-${'aB3d'.repeat(5)}`],
  ['an AWS key', `AKIA${'A2B3'.repeat(4)}`],
  ['a Google key', `AIza${'aB3d_'.repeat(7)}`],
  ['an Anthropic key', `sk-ant-${'api03-'}${'aB3d'.repeat(8)}`],
  ['an OpenAI key', `sk-proj-${'aB3d'.repeat(8)}`],
  ['an OpenAI key', `sk-${'aB3d'.repeat(12)}`],
  ['a Hugging Face token', `hf_${'aB3d'.repeat(9)}`],
  ['a Slack token', `xoxb-${'1234567890-'.repeat(2)}aB3d`],
  ['a Stripe key', `sk_live_${'aB3d'.repeat(6)}`],
  ['a SendGrid key', `SG.${'aB3d'.repeat(5)}.${'aB3d'.repeat(8)}`],
  ['an npm token', `npm_${'aB3d'.repeat(9)}`],
  ['a private key', `-----BEGIN ${'RSA '}PRIVATE KEY-----`],
  ['a private key', `-----BEGIN ${'PGP '}PRIVATE KEY BLOCK-----`],
];

describe('findSecrets', () => {
  it.each(keys)('finds %s', (kind, key) => {
    expect(findSecrets(diffOf(' before', `+key = "${key}"`))).toEqual([{ path: 'a.txt', line: 8, kind }]);
  });

  it.each<[string, string]>([
    ['what is removed', diffOf(`-${keys[0]?.[1]}`)],
    ['what was there before', diffOf(` ${keys[0]?.[1]}`)],
    [
      'names of keys',
      diffOf('+export GITHUB_TOKEN=ghp_xxx', '+sk-ant-…', '+AKIA', '+a task-list and disk-space'),
    ],
    ['hashes', diffOf(`+${'0123456789abcdef'.repeat(4)}`)],
    ['nothing', ''],
  ])('leaves alone: %s', (_name, diff) => {
    expect(findSecrets(diff)).toEqual([]);
  });

  it('is not fooled by lines that look like headers, and tells files apart', () => {
    const [, key] = keys[0] ?? ['', ''];
    const diff = `${diffOf(`+++ ${key}`, '+++ b/other.txt')}${diffOf(`+${key}`).replaceAll('a.txt', 'z.txt')}`;
    expect(findSecrets(diff).map(({ path, line }) => `${path}:${line}`)).toEqual(['a.txt:7', 'z.txt:7']);
  });
});
