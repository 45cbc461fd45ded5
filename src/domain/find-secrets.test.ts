/** Keys in what a change adds are found by their form, in whatever kind of file; what only looks similar is not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNewSecrets, findSecretKind } from './find-secrets.ts';
import { hideTokens } from './hide-tokens.ts';
import { secretForms } from './secret-forms.ts';

const some = (length: number): string => 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ'.repeat(9).slice(0, length);
const hex = (length: number): string => '0a1b2c3d4e5f'.repeat(9).slice(0, length);
const upper = (length: number): string => 'A2B3C4D5E6F7'.repeat(9).slice(0, length);
const begin = (kind: string): string => `-----BEGIN ${kind}${'PRIVATE'} KEY`;
const jwt = `eyJ${some(20)}.eyJ${some(40)}.${some(43)}`;

/**
 * For every row of the table: what it finds, and what it does not. Put together here, so that no file of ours holds anything
 * that looks like a key.
 */
const examples: Readonly<Record<string, readonly [found: readonly string[], missed: readonly string[]]>> = {
  'a GitHub token': [
    ['ghp', 'gho', 'ghu', 'ghr'].map((prefix) => `${prefix}_${some(36)}`),
    [`ghp_${some(35)}`, `ghx_${some(36)}`, `ghp-${some(36)}`, `ghp_${'x'.repeat(36)}`],
  ],
  'a fine-grained GitHub token': [[`github_pat_${some(22)}_${some(59)}`], [`github_pat_${some(59)}`]],
  'a GitHub installation token': [
    [`ghs_${some(36)}`, `ghs_123456_${jwt}`, `ghs_9_eyJ-${some(30)}.${some(9)}_${some(9)}.${some(80)}`],
    ['ghs_APPID_JWT', `ghs_${some(35)}`],
  ],
  'a GitLab token': [
    [
      `glpat-${some(20)}`,
      `glrt-${some(20)}`,
      `gldt-${some(20)}`,
      `GR1348941${some(20)}`,
      `glpat-${some(27)}.01.${some(9)}`,
    ],
    [`glpat-${some(19)}`, `glxyz-${some(20)}`],
  ],
  'an AWS key': [
    [`AKIA${upper(16)}`, `ASIA${upper(16)}`],
    [`AKIA${upper(15)}`, `AKIA${upper(17)}`, `AKIA${some(16)}`, `xAKIA${upper(16)}`],
  ],
  'an AWS secret key': [
    [`aws_secret_access_key = ${some(40)}`, `"AWS_SECRET_ACCESS_KEY": "${some(40)}"`],
    [`aws_secret_access_key = ${some(39)}`, `aws_secret_access_key = ${some(41)}`, some(40)],
  ],
  'a Google key': [[`AIza${some(35)}`], [`AIza${some(34)}`, `xAIza${some(35)}`]],
  'a Google client secret': [[`GOCSPX-${some(28)}`], [`GOCSPX-${some(27)}`]],
  'a Google access token': [[`ya29.${some(60)}`], [`ya29.${some(20)}`]],
  'an Azure storage key': [
    [`AccountKey=${some(86)}==`, `Endpoint=sb://x/;SharedAccessKey=${some(43)}=`],
    [`AccountKey=${some(20)}`, 'AccountKey=$KEY'],
  ],
  'an Azure client secret': [[`"abC8Q~${some(34)}"`], [`abC8Q-${some(34)}`, `abCdQ~${some(34)}`]],
  'an Azure key': [
    [`${some(52)}JQQJ99${some(26)}`, `${some(76)}AZDO${some(4)}`],
    [some(84), hex(84)],
  ],
  'an Anthropic key': [
    [`sk-ant-api03-${some(40)}`, `sk-ant-oat01-${some(40)}`],
    ['sk-ant-…', 'sk-ant-api03-'],
  ],
  'an OpenAI key': [
    [
      `sk-${some(48)}`,
      `sk-proj-${some(48)}`,
      `sk-svcacct-${some(48)}`,
      `sk-or-v1-${hex(64)}`,
      `sk-${hex(32)}`,
    ],
    [`sk-${some(31)}`, `task-${some(48)}`, 'sk-proj-'],
  ],
  'an xAI key': [[`xai-${some(80)}`], [`xai-${some(20)}`]],
  'a Groq key': [[`gsk_${some(52)}`], [`gsk_${some(20)}`]],
  'a Hugging Face token': [[`hf_${some(34)}`], [`hf_${some(33)}`]],
  'a Replicate token': [[`r8_${some(37)}`], [`r8_${some(36)}`]],
  'a Slack token': [
    [
      `xox${'b-'}1234567890-${some(12)}`,
      `xox${'p-'}1234567890-${some(12)}`,
      `xapp-1-A1B2-123-${hex(20)}`,
      `xoxe.xoxp-1-${some(30)}`,
    ],
    ['xoxb-short', 'xapp-1-A1B2'],
  ],
  'a Slack address': [
    [`https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${some(24)}`],
    ['https://hooks.slack.com/services/T0/B0/x'],
  ],
  'a Discord token': [[`M${some(23)}.${some(6)}.${some(27)}`], [`M${some(23)}.${some(5)}.${some(27)}`]],
  'a Discord address': [
    [`https://discord.com/api/webhooks/123456789012345678/${some(68)}`],
    ['https://discord.com/api/webhooks/1/x'],
  ],
  'a Telegram token': [[`123456789:AA${some(33)}`], [`123456789:AB${some(33)}`, `123456789:AA${some(32)}`]],
  'a Stripe key': [
    [`sk_live_${some(24)}`, `rk_live_${some(24)}`, `sk_test_${some(24)}`, `whsec_${some(32)}`],
    [`pk_live_${some(24)}`, `sk_live_${some(19)}`, 'sk_live_'],
  ],
  'a SendGrid key': [[`SG.${some(22)}.${some(43)}`], [`SG.${some(22)}`]],
  'a Shopify token': [[`shpat_${hex(32)}`], [`shpat_${hex(31)}`]],
  'a Square token': [
    [`sq0atp-${some(22)}`, `EAAA${some(60)}`],
    [`sq0atp-${some(21)}`, `EAAA${some(61)}`],
  ],
  'an npm token': [
    [`npm_${some(36)}`, `//registry.example/:_authToken=${hex(8)}-${hex(4)}-${hex(12)}`],
    [`npm_${some(35)}`, `npm_${some(37)}`, `//registry.example/:_authToken=\${${'NPM_TOKEN'}}`],
  ],
  'a PyPI token': [[`pypi-AgE${some(60)}`], [`pypi-AgE${some(49)}`, `pypi-${some(60)}`]],
  'a RubyGems key': [[`rubygems_${hex(48)}`], [`rubygems_${hex(47)}`]],
  'a Docker Hub token': [[`dckr_pat_${some(27)}`], [`dckr_pat_${some(19)}`]],
  'a DigitalOcean token': [[`dop_v1_${hex(64)}`], [`dop_v1_${hex(63)}`, `dop_v2_${hex(64)}`]],
  'a Databricks token': [[`dapi${hex(32)}`], [`dapi${hex(33)}`]],
  'a HashiCorp token': [
    [`hvs.${some(90)}`, `${some(14)}.atlasv1.${some(60)}`],
    ['hvs.short', `hvx.${some(90)}`],
  ],
  'a Grafana token': [[`glsa_${some(32)}_${hex(8)}`], [`glsa_${some(32)}`]],
  'a Sentry token': [[`sntrys_${some(60)}`], [`sntrys_${some(20)}`]],
  'a New Relic key': [[`NRAK-${upper(27)}`], [`NRAK-${upper(26)}`]],
  'a Linear key': [[`lin_api_${some(40)}`], [`lin_api_${some(20)}`]],
  'a Notion token': [[`ntn_${some(46)}`, `secret_${some(43)}`], [`secret_${some(42)}`]],
  'a Figma token': [[`figd_${some(40)}`], [`figd_${some(20)}`]],
  'an Atlassian token': [[`ATATT3${some(180)}`], [`ATATT3${some(20)}`]],
  'a Postman key': [[`PMAK-${hex(24)}-${hex(34)}`], [`PMAK-${hex(24)}`]],
  'a Twilio key': [[`SK${hex(32)}`], [`SK${hex(31)}`, `SK${hex(33)}`]],
  'an age key': [
    [`AGE-SECRET-KEY-1${'QPZRY9X8GF'.repeat(6).slice(0, 58)}`],
    [`AGE-SECRET-KEY-1${'QPZRY9X8GF'}`],
  ],
  'a web token': [[jwt], [`eyJ${some(20)}.${some(40)}.${some(43)}`, `eyJ${some(20)}.eyJ${some(40)}`]],
  'a private key': [
    [
      ...['', 'RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ', 'SSH2 ENCRYPTED '].map(
        (kind) => `${begin(kind)}-----`,
      ),
      `${begin('PGP ')} BLOCK-----`,
      `"private_key": "${begin('')}-----\\nMIIE`,
    ],
    [`-----BEGIN ${'PUBLIC'} KEY-----`, '-----BEGIN CERTIFICATE-----', `BEGIN ${'PRIVATE'} KEY`],
  ],
  'a private key of SSH2': [
    [`---- BEGIN SSH2 ENCRYPTED ${'PRIVATE'} KEY ----`],
    [`---- BEGIN SSH2 ${'PUBLIC'} KEY ----`],
  ],
  'a private key of PuTTY': [[`PuTTY-User-Key-File-${'3'}: ssh-ed25519`], ['PuTTY-User-Key-File']],
  'a password in an address': [
    [
      `https://user:${'hunter2'}@git.host.org/x.git`,
      `postgres://app:${'s3cr3t-0f-app'}@db.internal:5432/app`,
      `redis://:${'hunter2'}@cache/0`,
      `amqps://a:${'p%40ss'}@mq.host.org`,
    ],
    [
      ...[
        'https://user@host.org',
        'https://host.org:8080/@user',
        'https://user:password@host.org',
        'http://a:b@c',
      ],
      ...['postgres://postgres:postgres@db/x', `postgres://app:${'hunter2'}@localhost:5432/app`],
      ...[
        'https://$USER:$PASSWORD@host.org',
        'https://{user}:{password}@host',
        'https://x:<token>@host',
        'see http://a.b:80 or mail c@d.e',
      ],
      'https://user:****@host.org',
    ],
  ],
};

const rows = secretForms.map(({ kind }) => kind);
const found = Object.entries(examples).flatMap(([kind, [list]]) => list.map((text) => [kind, text] as const));
const missed = Object.entries(examples).flatMap(([kind, [, list]]) =>
  list.map((text) => [kind, text] as const),
);

describe('the table', () => {
  it('has an example and a near miss for every row, and no row twice', () => {
    expect(Object.keys(examples)).toEqual(rows);
    expect(new Set(rows).size).toBe(rows.length);
    for (const [list, misses] of Object.values(examples)) {
      expect(list.length).toBeGreaterThan(0);
      expect(misses.length).toBeGreaterThan(0);
    }
  });

  it.each(found)('knows %s: %s', (kind, text) => {
    const form = secretForms.find((one) => one.kind === kind);
    const match = form?.form.exec(text) ?? null;
    expect(match).not.toBeNull();
    expect(findNewSecrets('a.txt', `one\nkey = '${text}'\n`, null)).toMatchObject([
      { path: 'a.txt', line: 2 },
    ]);
  });

  it.each(found.filter(([kind]) => kind !== 'an AWS secret key'))('names %s', (kind, text) => {
    // What fits several forms is named by one of them.
    const kinds = secretForms.filter(({ form }) => form.test(text)).map((one) => one.kind);
    expect(kinds).toContain(kind);
    expect(kinds).toContain(findSecretKind(text));
  });

  it.each(missed)('does not take for %s: %s', (kind, text) => {
    const line = `before ${text} after`;
    const form = secretForms.find((one) => one.kind === kind);
    const match = form?.form.exec(line) ?? null;
    const isFound = match !== null && form?.isReal?.(match) !== false && findSecretKind(line) === kind;
    expect(isFound).toBe(false);
  });

  it.each(found)('is what is hidden in logs too: %s', (_, text) => {
    const shown = hideTokens(`log: ${text} end`);
    expect(shown).toContain('[hidden]');
    expect(shown.length).toBeLessThan(`log: ${text} end`.length + 8);
  });
});

const token = `ghp_${some(36)}`;

describe('findNewSecrets', () => {
  it('looks at every line of a file, whatever its number', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);
    for (const at of [0, 8, 9, 10, 98, 99, 250, 299]) {
      const text = lines.with(at, `x = ${token}`).join('\n');
      expect(findNewSecrets('a.txt', text, lines.join('\n'))).toEqual([
        { path: 'a.txt', line: at + 1, kind: 'a GitHub token' },
      ]);
    }
  });

  it('leaves alone what was there before, wherever it has moved to', () => {
    expect(findNewSecrets('a', `1\n2\n3 ${token}\n`, `${token}\n`)).toEqual([]);
    const other = `ghp_${some(37).slice(1)}9`;
    expect(findNewSecrets('a', `${token}\n${other}\n`, `${token}\n`)).toEqual([
      { path: 'a', line: 2, kind: 'a GitHub token' },
    ]);
  });

  it('names what stands in a file in its order, each line once', () => {
    const slack = `xox${'b-'}1234567890-${some(12)}`;
    expect(findNewSecrets('a', `\n${slack}\n\n${token} ${slack}9 ${token}8\nend`, null)).toEqual([
      { path: 'a', line: 2, kind: 'a Slack token' },
      { path: 'a', line: 4, kind: 'a GitHub token' },
    ]);
  });

  it.each([`ghp_${'x'.repeat(36)}`, `ghp_${'X'.repeat(36)}`, `https://user:${'password'}@host.org`])(
    'takes a placeholder for what it is: %s',
    (text) => expect(findNewSecrets('a', text, null)).toEqual([]),
  );

  it.each([`ghp_${some(24)}${'x'.repeat(12)}`, `github_pat_${'x'.repeat(20)}_${some(60)}`])(
    'takes no key for a placeholder: %s',
    (text) => expect(findNewSecrets('a', text, null)).toHaveLength(1),
  );

  it.each(['ghs_', 'glpat-', `sk-${'ant'}-api03-`, `sk-${'proj'}-`, `xox${'b'}-`, 'hvs.'])(
    'finds a key of %s with the end of a placeholder hung onto it',
    (prefix) => {
      for (const end of ['-xxxxxxxxxxxx', '_XXXXXXXXXXXXXXXX', `-${'x'.repeat(40)}`])
        expect(findNewSecrets('a', `${prefix}${some(40)}${end}`, null), end).toHaveLength(1);
    },
  );

  const encode = (bytes: Buffer): string => bytes.toString('latin1');
  it.each<[string, string]>([
    ['after zeros', `\0\0\u0001${token}\0`],
    ['right after a letter', `\0abc${token}\0`],
    ['as UTF-16, little end first', encode(Buffer.from(`\uFEFFkey = ${token}\n`, 'utf16le'))],
    ['as UTF-16, big end first', encode(Buffer.from(`\uFEFFkey = ${token}\n`, 'utf16le').swap16())],
    ['as UTF-16 at an odd place', encode(Buffer.concat([Buffer.from([7]), Buffer.from(token, 'utf16le')]))],
    ['as UTF-32', [...token].map((one) => `${one}\0\0\0`).join('')],
  ])('finds it in binary files: %s', (_, content) => {
    expect(findNewSecrets('a.bin', content, null)).toEqual([
      { path: 'a.bin', line: null, kind: 'a GitHub token' },
    ]);
    expect(findNewSecrets('a.bin', content, content)).toEqual([]);
  });

  it('finds every form at every place of every kind of file', () => {
    const around = fc.string({ unit: fc.constantFrom(...' \n\t"=:;,(){}é\u0001'), maxLength: 40 });
    const encodings = ['latin1', 'utf16le'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...found),
        around,
        around,
        fc.constantFrom(...encodings),
        ([, text], before, after, encoding) => {
          const content = encode(Buffer.from(`${before} ${text} ${after}`, encoding));
          expect(findNewSecrets('a', content, null).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 400 },
    );
  });

  it.each([
    ['hashes', `${hex(40)} ${hex(64)} sha512-${some(86)}==`],
    ['identifiers', '123e4567-e89b-12d3-a456-426614174000'],
    ['names of variables', 'GITHUB_TOKEN ghp_ sk-ant- AKIA npm_config_registry=https://host.org/'],
    ['words', 'a task-list and disk-space, mask-image, risk-management-of-things-that-are-long-enough'],
    ['nothing', ''],
  ])('leaves alone: %s', (_, text) => {
    expect(findNewSecrets('a.txt', text, null)).toEqual([]);
  });

  it('ends after a number of findings, and takes no time on files made to take it', () => {
    const began = process.cpuUsage();
    const many = Array.from({ length: 50_000 }, (_, index) => `ghp_${String(index).padStart(36, 'a')}`).join(
      ' ',
    );
    expect(findNewSecrets('a', many, many)).toEqual([]);
    expect(findNewSecrets('a', many.replaceAll(' ', '\n'), null)).toHaveLength(20);
    for (const piece of [
      'a',
      '://a:',
      'eyJa.',
      'aws_secret_access_key = ',
      'Q~',
      'BEGIN A ',
      'xapp-1-A-',
      '1234567890:',
    ])
      expect(findNewSecrets('a', piece.repeat(2_000_000 / piece.length), null)).toEqual([]);
    // Of the processor, since others may be at work on it.
    expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
  });
});
