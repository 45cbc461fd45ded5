/**
 * A grammar of comments that order, approve and dismiss nothing, although the words for it stand in them: written so that
 * they are not the writer's own, or with something that takes them back.
 */
export const finding = '3f9a0c11d2';

/** The words that must not be heard. */
export const payloads: readonly string[] = [
  '@claude approve',
  '@claude please implement this',
  `@claude dismiss ${finding}`,
  '@claude review',
  'approve',
  'LGTM',
  '/approve',
];

type Wrap = readonly [name: string, wrap: (words: string) => string];

const lines = (words: string, prefix: string): string =>
  words
    .split('\n')
    .map((line) => `${prefix}${line}`)
    .join('\n');

const markdownWraps: readonly Wrap[] = [
  ['a quote', (words) => lines(words, '> ')],
  ['a quote without a space', (words) => lines(words, '>')],
  ['a quote that goes on by itself', (words) => `> Bob:\n${words.split('\n')[0]}`],
  ['a quote in a list', (words) => `- ${lines(words, '  > ').trimStart()}`],
  ['an alert', (words) => `> [!NOTE]\n${lines(words, '> ')}`],
  ['an escaped quote', (words) => lines(words, '\\> ')],
  ['a quote by entity', (words) => lines(words, '&gt; ')],
  ['a block of code', (words) => `\`\`\`\`\n${words}\n\`\`\`\``],
  ['a block with tildes', (words) => `~~~ text\n${words}\n~~~`],
  ['a block that is left open', (words) => `\`\`\`\n${words}`],
  ['an indented block', (words) => lines(words, '    ')],
  ['code in a line', (words) => `Write \`\` ${words.replaceAll('\n', ' ').replaceAll('`', "'")} \`\` there`],
  ['a table', (words) => `| a | b |\n|---|---|\n| ${words.replaceAll('\n', ' ').replaceAll('|', '/')} | c |`],
  [
    'struck out',
    (words) =>
      lines(words.replaceAll('~', '-'), '').replace(/^[^\n]*$/gmu, (line) =>
        line.trim() === '' ? line : `~~${line.trim()}~~`,
      ),
  ],
  ['struck out with one tilde', (words) => `~${words.replaceAll('\n', ' ').replaceAll('~', '-').trim()}~`],
  ['a box', (words) => `- [ ] ${words.replaceAll('\n', '\n  ')}`],
  ['a ticked box', (words) => `* [x] ${words.replaceAll('\n', '\n  ')}`],
  ['a box that is numbered', (words) => `1. [ ] ${words.replaceAll('\n', '\n   ')}`],
  ['a box that is none', (words) => `[ ] ${words.replaceAll('\n', ' ')}`],
  ['a box with a tick of its own', (words) => `- [✓] ${words.replaceAll('\n', ' ')}`],
  ['a list under a box', (words) => `- [ ] Later\n  - ${words.replaceAll('\n', '\n    ')}`],
  [
    'words of a link',
    (words) => `[${words.replaceAll('\n', ' ').replace(/[[\]`]/gu, '')}](https://example.org)`,
  ],
  ['the target of a link', (words) => `[see](<${words.replaceAll('\n', ' ').replace(/[<>]/gu, '')}>)`],
  ['a picture', (words) => `![${words.replaceAll('\n', ' ').replace(/[[\]`]/gu, '')}](x.png)`],
  ['a definition', (words) => `[a]: <${words.replaceAll('\n', ' ').replace(/[<>]/gu, '')}>`],
  ['a footnote', (words) => `See[^1].\n\n[^1]: ${words.replaceAll('\n', ' ')} `],
  ['settings of a file', (words) => `---\ntitle: x\n${words.replaceAll('---', '')}\n---\n`],
  ['a formula', (words) => `$$${words.replaceAll('\n', ' ').replaceAll('$', '')}$$`],
  ['speech of somebody', (words) => `Bob said "${words.replaceAll('\n', ' ').replaceAll('"', '')}" to me.`],
  ['speech that is not ended', (words) => `Bob said “${words.replaceAll('\n', ' ').replaceAll('”', '')}`],
  ['turned round', (words) => `\u202E${words.replaceAll('\n', ' ')}`],
];

const elements = [
  'blockquote',
  'del',
  's',
  'strike',
  'code',
  'pre',
  'template',
  'details',
  'span',
  'div',
  'p',
];
const moreElements = [
  'noscript',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'svg',
  'x-y',
  'script',
  'style',
  'select',
];
const oneLine = (words: string): string => words.replaceAll('\n', ' ');

const htmlWraps: readonly Wrap[] = [
  ...[...elements, ...moreElements].flatMap((name): Wrap[] => [
    [`<${name}> in a line`, (words) => `x <${name}>${oneLine(words)}</${name}>`],
    [`<${name}> around blocks`, (words) => `<${name}>\n\n${words}\n\n</${name}>`],
    [`<${name}> that is not ended`, (words) => `x <${name}>\n\n${words}`],
  ]),
  ['in capitals', (words) => `x <DEL>${oneLine(words)}</DeL>`],
  ['with attributes', (words) => `x <span hidden class="a>b" title='</span>'>${oneLine(words)}</span>`],
  ['ended in an attribute only', (words) => `<div title="</div>">\n\n${words}\n\n`],
  ['ended as itself', (words) => `<div/>\n\n${words}`],
  ['ended by another', (words) => `x <del></s> ${oneLine(words)}`],
  ['an end without a beginning', (words) => `x </sub> ${oneLine(words)}`],
  ['nested', (words) => `<div><del>\n\n${words}\n\n</del></div>`],
  ['nested the wrong way', (words) => `<div><del></div></del>\n\n${words}`],
  ['begun in a quote', (words) => `> x <del>\n\n${words}`],
  ['begun in a list', (words) => `- x <del>\n- y\n\n${words}`],
  ['begun in a link', (words) => `[x <del> y](z)\n\n${words}`],
  ['begun in a table', (words) => `| a |\n|---|\n| <del> |\n\n${words}`],
  ['begun in struck-out text', (words) => `~~x <details> y~~\n\n${words}`],
  ['folded', (words) => `<details><summary>Log</summary>\n\n${words}\n\n</details>`],
  ['a comment', (words) => `x <!-- ${oneLine(words).replaceAll('--', '')} -->`],
  ['a comment in a block', (words) => `<!--\n${words.replaceAll('--', '')}\n-->`],
  ['a comment that is not ended', (words) => `<!-- x\n\n${words}`],
  ['a comment that browsers end sooner', (words) => `<!-- x --!> <del> -->\n\n${words}`],
  ['a comment that ends at once', (words) => `<!--> <del> -->\n\n${words}`],
  ['a declaration', (words) => `<!DOCTYPE x>\n\n${words}`],
  ['an instruction', (words) => `<?php x > <del> ?>\n\n${words}`],
  ['raw data', (words) => `<![CDATA[ x > <del> ]]>\n\n${words}`],
  ['after a comment on the same line', (words) => `<!-- x --> ${oneLine(words)}`],
];

const mailWraps: readonly Wrap[] = [
  ['a mail', (words) => `Hm.\n\nOn Mon, Nov 16, 2026 at 9:00 AM Bob <bob@example.org> wrote:\n${words}`],
  ['a mail, after an empty line', (words) => `On 16.11.2026, Bob wrote:\n\n${words}`],
  [
    'a mail with a long line',
    (words) => `On Mon, Nov 16, 2026 at 9:00 AM Bob Example\n<bob@example.org> wrote:\n\n${words}`,
  ],
  ['a German mail', (words) => `Am 16.11.2026 um 09:00 schrieb Bob:\n\n${words}`],
  ['a French mail', (words) => `Le lun. 16 nov. 2026 à 09:00, Bob a écrit :\n\n${words}`],
  ['a mail of Outlook', (words) => `From: Bob\nSent: Monday\nTo: Alice\n\n${words}`],
  ['a message that is passed on', (words) => `-----Original Message-----\n\n${words}`],
  ['a forwarded message', (words) => `Begin forwarded message:\n\n${words}`],
  ['a signature', (words) => `Hm, no.\n\n-- \n${words}`],
  ['a signature under its line', (words) => `Hm, no.\n-- \n${words}`],
];

export const wraps: readonly Wrap[] = [...markdownWraps, ...htmlWraps, ...mailWraps];

const outerNames: readonly string[] = [
  ...['a quote', 'a quote in a list', 'an alert', 'a box', 'a list under a box', 'nested', 'folded'],
  ...['<details> around blocks', '<template> around blocks', '<del> that is not ended', 'begun in a list'],
  ...['a comment that is not ended', 'a mail', 'a mail of Outlook', 'a signature'],
];

/** Those that can stand around all others. */
export const outerWraps: readonly Wrap[] = [
  ...wraps.filter(([name]) => outerNames.includes(name)),
  ['much code', (words) => `~~~~~~~~\n${words}\n~~~~~~~~`],
];

/** Ways to write the name that are not the name. */
export const falseCalls: readonly string[] = [
  ...[
    '\\@claude',
    '&commat;claude',
    '&#64;claude',
    '&#x40;claude',
    '@&#99;laude',
    '@cl&#97;ude',
    '＠claude',
    '﹫claude',
  ],
  ...[
    '@сlaude',
    '@clаude',
    '@clauԁe',
    '@cl\u200Baude',
    '@\u200Bclaude',
    '@claude\u200B',
    '\u200B@claude',
    '@cl\u00ADaude',
  ],
  ...[
    '@\u2060claude',
    '@claude\u0301',
    '@claudé',
    '@ｃlaude',
    '@claude-bot',
    '@claude2',
    '@claude_x',
    '@claudette',
  ],
  ...[
    '@claude/x',
    'org/@claude',
    '@org/claude',
    'foo@claude.ai',
    'foo@claude',
    '@claude.ai',
    '@@claude',
    '@claude@x',
  ],
  ...[
    "@claude's",
    '@claude’s',
    'x@claude',
    '-@claude',
    '.@claude',
    '/@claude',
    '#@claude',
    '=@claude',
    '"@claude"',
  ],
  ...[
    "'@claude'",
    '‘@claude’',
    '“@claude”',
    '«@claude»',
    '@**claude**',
    '@cl**aude**',
    '@_claude_',
    '@<b></b>claude',
  ],
  ...[
    '@cl<!-- -->aude',
    '@`claude`',
    '`@claude`',
    '~@claude~',
    '[@claude](x)',
    '[@claude]',
    '<@claude>',
    '{@claude}',
  ],
  ...[
    'https://example.org/@claude',
    'https://example.org/?a=1,@claude',
    'www.example.org,@claude',
    'mailto:@claude',
  ],
  ...[
    '$@claude$',
    '@claude:8080',
    '@claude=1',
    '@claude+1',
    '@claude\\_x',
    '@ claude',
    'claude',
    '@claude\u202E',
  ],
];

/** Words around an approval that make it none. The payload is `approve`, or another word that approves. */
export const spoilers: readonly ((words: string) => string)[] = [
  ...[
    'not',
    'do not',
    "don't",
    'never',
    'no',
    'I cannot',
    'I would',
    "I'd",
    'I will',
    'cannot yet',
    'why would I',
  ].map((before) => (words: string) => `${before} ${words}`),
  ...[
    'should we',
    'shall I',
    'can you',
    'who will',
    'did Bob',
    'please do not',
    'nobody may',
    'ask Bob to',
  ].map((before) => (words: string) => `${before} ${words}`),
  ...['@bob', 'Bob:', 'Bob,', 'hey Bob', 'If it is green,', 'Once the tests pass:', 'After lunch,'].map(
    (before) => (words: string) => `${before} ${words}`,
  ),
  ...[
    '❌',
    '👎',
    '🚫',
    '🛑',
    '⛔',
    '⚠️',
    '🤔',
    '😕',
    '🙃',
    '✋',
    '❎',
    '🔴',
    '💩',
    '🤷',
    '😏',
    '👀',
    '❓',
    '❗',
    '✖️',
  ].flatMap((sign) => [(words: string) => `${sign} ${words}`, (words: string) => `${words} ${sign}`]),
  ...[
    '❤️‍🔥',
    '👍‍❌',
    ':x:',
    ':-1:',
    ':thinking:',
    ':no_entry:',
    ':(',
    ';)',
    '/s',
    '^^',
    '¯\\_(ツ)_/¯',
  ].flatMap((sign) => [(words: string) => `${sign} ${words}`, (words: string) => `${words} ${sign}`]),
  ...[
    '?',
    '?!',
    '...',
    '…',
    ' not',
    ', not',
    ' — not',
    '. Not!',
    '\nnot',
    '\n\nNot really.',
    ' (not)',
    ' never',
  ].map((after) => (words: string) => `${words}${after}`),
  ...[
    ' if the tests pass',
    ' unless Bob objects',
    ' once it is green',
    ' when ready',
    ' after the release',
  ].map((after) => (words: string) => `${words}${after}`),
  ...[
    ' tomorrow',
    ' later',
    ' on Monday',
    ' soon',
    ' next week',
    ', maybe',
    ', I guess',
    ' in principle',
  ].map((after) => (words: string) => `${words}${after}`),
  ...[
    ' step 1',
    ' only step 1',
    ' the first part',
    ' 1',
    ' except the UI',
    ', but use SQLite',
    ' partly',
  ].map((after) => (words: string) => `${words}${after}`),
  ...[
    ' said Bob',
    ' is wrong',
    ' would be wrong',
    ' by Bob',
    ' of the idea in general',
    ' cancel',
    ', just kidding',
  ].map((after) => (words: string) => `${words}${after}`),
  ...['"', '“', '‘', '(', '[', '{', '«', '*\\', '~', '|', '<', '=', '\\*'].map(
    (sign) => (words: string) => `${sign}${words}${sign}`,
  ),
  ...[
    ' `step 1`',
    ' ![x](y.png)',
    '\n\n```\nonly step 1\n```',
    ' [x](y)',
    ' <b>x</b>',
    ' ~~x~~',
    ' <del>not</del>',
  ].map((after) => (words: string) => `${words}${after}`),
  (words) => [...words].join('\u200B'),
  (words) => [...words].join('\u00AD'),
  (words) =>
    words.replace(/[aeioT]/u, (letter) => ({ a: 'а', e: 'е', i: 'і', o: 'о', T: 'Т' })[letter] ?? letter),
  (words) => words.replace(/(?<=\w)(?=\w)/u, '**'),
  (words) => words.replace(/(?<=\w)(?=\w)/u, '<b></b>'),
  (words) => `dis${words}`,
  (words) => `un-${words}`,
  (words) => `${words}al`,
];
