/** What looks like a key or a token, and what nearly does, for every row of `secret-forms.ts`. */

export const some = (length: number): string => 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ'.repeat(9).slice(0, length);
export const hex = (length: number): string => '0a1b2c3d4e5f'.repeat(9).slice(0, length);
const upper = (length: number): string => 'A2B3C4D5E6F7'.repeat(9).slice(0, length);
const begin = (kind: string): string => `-----BEGIN ${kind}${'PRIVATE'} KEY`;
const jwt = `eyJ${some(20)}.eyJ${some(40)}.${some(43)}`;

/**
 * For every row of the table: what it finds, and what it does not. Put together here, so that no file of ours holds anything
 * that looks like a key.
 */
export const secretExamples: Readonly<
  Record<string, readonly [found: readonly string[], missed: readonly string[]]>
> = {
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
    [`glpat-${some(19)}`, `glxyz-${some(20)}`, `GR1348941${some(19)}`, `xGR1348941${some(20)}`],
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
      // Every sign that RFC 3986 lets stand in a password, and an @ that people forget to encode.
      ...[...'-._~!$&()*+,;=:'].map((sign) => `https://app:${`hun${sign}ter2`}@git.host.org`),
      ...['$', '*', '(', '{', '[', '%', '}', ')', ']', '^', '|', '@'].flatMap((sign) => [
        `https://app:${`hun${sign}ter2`}@git.host.org`,
        `https://app:${`${sign}hunter2`}@git.host.org`,
        `https://app:${`hunter2${sign}`}@git.host.org`,
      ]),
      `https://app:${"hun'ter2"}@git.host.org`,
      `https://app:${'hunter2'}$\{EMPTY}@git.host.org`,
      `https://app:${'$ecret'}@git.host.org`,
      `https://$USER:${'hunter2'}@git.host.org`,
      `https://{user}:${'hunter2'}@git.host.org`,
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
      ...[
        '****',
        `$\{PASSWORD}`,
        `$\{{secrets.TOKEN}}`,
        '$(token)',
        '%TOKEN%',
        '{{token}}',
        '#{token}',
        '%s',
      ].map((standIn) => `https://user:${standIn}@host.org`),
      ...['%(token)s', '[hidden]', '(token)', '$token', '$dbPassword', '{self.token}', '{0}', '\\S+'].map(
        (standIn) => `https://user:${standIn}@host.org`,
      ),
      'https://$user:$p@host.org',
      "['://a:','@b']",
    ],
  ],
};

/** Every example with the kind that it is of. */
export const foundSecrets: readonly (readonly [kind: string, text: string])[] = Object.entries(
  secretExamples,
).flatMap(([kind, [list]]) => list.map((text) => [kind, text] as const));

const each = (prefixes: string, rest: string): string[] => prefixes.split(' ').map((one) => `${one}${rest}`);

/** Every other way to write each of them that the table knows: a prefix that is dropped from it is noticed. */
export const otherSpellings: Readonly<Record<string, readonly string[]>> = {
  'a GitLab token': each(
    'glpat- gldt- glrt- glrtr- glptt- glcbt- glft- glsoat- glagent- gloas- glimt- glffct- glwt-',
    some(20),
  ),
  'an AWS key': each('A3TX AKIA ASIA ABIA ACCA', upper(16)),
  'an AWS secret key': [
    `aws_secret_key=${some(40)}`,
    `awsSecretAccessKey: '${some(40)}'`,
    `aws_session_token = ${some(40)}`,
    `AWS_SECRET_ACCESS_KEY=>"${some(40)}"`,
  ],
  'an Azure storage key': each('AccountKey= SharedAccessKey=', some(42)),
  'an Azure key': each('JQQJ99 JQQJ9D', some(20)).map((end) => `${some(52)}${end}`),
  'an OpenAI key': each('sk-proj- sk-svcacct- sk-admin- sk-None- sk-or-v1-', some(20)),
  'a Hugging Face token': each('hf_ api_org_', some(34)),
  'a Slack token': [
    ...'abceoprs'.split('').map((letter) => `xox${letter}-${some(10)}`),
    ...each('xoxe.xoxb-1- xoxe.xoxp-1-', some(20)),
  ],
  'a Slack address': each('services workflows', `/T${upper(8)}/B${upper(8)}/${some(16)}`).map(
    (path) => `hooks.slack.com/${path}`,
  ),
  'a Discord token': each('M N O', `${some(23)}.${some(6)}.${some(27)}`),
  'a Discord address': each('discord.com discordapp.com', `/api/webhooks/${'1'.repeat(17)}/${some(60)}`),
  'a Telegram token': each('12345678 1234567890', `:AA${some(33)}`),
  'a Stripe key': each('sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', some(20)),
  'a Shopify token': each('shpat_ shpca_ shppa_ shpss_', hex(32)),
  'a Square token': each('sq0atp- sq0csp-', some(22)),
  'an npm token': each(':_authToken= :_authToken=" :_authToken=\'', some(20)),
  'a Docker Hub token': each('dckr_pat_ dckr_oat_', some(20)),
  'a DigitalOcean token': each('doo_v1_ dop_v1_ dor_v1_', hex(64)),
  'a Databricks token': [`dapi${hex(32)}-2`],
  'a HashiCorp token': each('hvs. hvb. hvr.', some(24)),
  'a Grafana token': [`glc_eyJ${some(32)}`],
  'a Sentry token': each('sntrys_ sntryu_', some(40)),
  'a Linear key': each('lin_api_ lin_oauth_', some(32)),
  'a Notion token': [`ntn_${some(40)}`],
  'a Figma token': each('figd_ figr_ figu_', some(38)),
  'a private key': each('DSA  EC  ENCRYPTED RSA', ' ').map((kind) => `${begin(kind.trimStart())}-----`),
  'a private key of SSH2': [`---- BEGIN SSH2 ${'PRIVATE'} KEY ----`],
};
