/** Markdown becomes elements that this file can list; what an attacker writes stays text. */
import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './render-markdown.tsx';

const render = (source: string): string => renderToStaticMarkup(renderMarkdown(source));

it.each([
  [
    '# One\n\nA *b* **c** ~~d~~ `e`',
    '<h3>One</h3><p>A <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>',
  ],
  ['###### Six', '<h6>Six</h6>'],
  ['3. a\n9. b', '<ol><li value="3"><p>a</p></li><li value="9"><p>b</p></li></ol>'],
  [
    '```js a=b\nlet a = "<b>";\n```',
    '<pre><span class="beside">js a=b\n</span><code>let a = &quot;&lt;b&gt;&quot;;</code></pre>',
  ],
  ['> quoted', '<blockquote><p>quoted</p></blockquote>'],
  ['a  \nb', '<p>a<br/>b</p>'],
  ['[a][b]\n\n[b]: https://example.com/x', 'href="https://example.com/x"'],
  ['[a]\n\n> - [a]: https://example.com/x', 'href="https://example.com/x"'],
  ['[a](https://b.example/ "c")', '>a</a><span class="beside"> (https://b.example/ &quot;c&quot;)</span>'],
  ['<https://b.example/>', '>https://b.example/</a></p>'],
  ['- [x] done\n- [ ] open', 'aria-label="done:"'],
  ['| a | b |\n|---|--:|\n| 1 | 2 |', '<th class="is-right">b</th>'],
  ['&copy; &#x41;', '<p>© A</p>'],
])('renders %j', (source, html) => {
  expect(render(source)).toContain(html);
});

describe('an attack', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="alert(1)">b</b>',
    '[x](javascript:alert(1))',
    '[x](JAVASCRIPT:alert(1))',
    '[x](java&#x0A;script:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x][y]\n\n[y]: javascript:alert(1)',
    '![x](https://evil.example/x.png)',
    '![x](javascript:alert(1))',
    '<javascript:alert(1)>',
    '<https://evil.example/" onmouseover="alert(1)>',
    '[x](https://evil.example/"onmouseover="alert\\(1\\))',
    '[x](https://e.example "t\\" onclick=\\"alert(1)")',
    '```"><script>\nalert(1)\n```',
    '<style>*{display:none}</style>',
    '<iframe srcdoc="<script>alert(1)</script>">',
    '<svg/onload=alert(1)>',
    '| <img src=x> |\n|---|\n| [x](javascript:alert(1)) |',
    '<!--><script>alert(1)</script>-->',
    '[^1]\n\n[^1]: <script>alert(1)</script>',
    '[//]: # (<script>alert(1)</script>)',
    '[a]\n\n[a]: javascript:alert(1) "<b onclick=alert(1)>"',
    '![a [b](https://e.example "<b>")](https://e.example "<script>")',
  ])('makes no element and no address that runs or loads: %s', (source) => {
    const html = render(source);
    expect(
      html.replace(/<\/?(?:p|code|pre|span|a|table|thead|tbody|tr|td|th|div|em|br)\b[^<>]*>/gu, ''),
    ).not.toMatch(/<[a-z/!]/iu);
    for (const [, attributes = ''] of html.matchAll(/<[a-z]\w*((?:\s+[\w-]+="[^"]*")*)\s*\/?>/gu))
      for (const [, name, value = ''] of attributes.matchAll(/([\w-]+)="([^"]*)"/gu)) {
        expect(['href', 'target', 'rel', 'class', 'title']).toContain(name);
        if (name === 'href') expect(value).toMatch(/^https:\/\//u);
      }
  });

  it('that moves or hides letters is written out', () => {
    expect(render('a\u202Eb `\u001b[31m`')).toBe('<p>a\\u{202e}b <code>\\u{1b}[31m</code></p>');
  });

  it('by depth or by length is shown as it was written', () => {
    expect(render(`${'> '.repeat(500)}deep`)).toContain('deep');
    expect(render('a'.repeat(20_001))).toMatch(/^<pre class="source">a+<\/pre>$/u);
  });
});

describe('the whole text is on the screen', () => {
  /** What a person reads, and nothing of what only stands in attributes. */
  const read = (source: string): string =>
    render(source)
      .replace(/<li value="(\d+)">/gu, ' $1 ')
      .replace(/<[^<>]*>/gu, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  const countWords = (text: string): Map<string, number> =>
    (text.match(/word\d/gu) ?? []).reduce(
      (counts, word) => counts.set(word, (counts.get(word) ?? 0) + 1),
      new Map<string, number>(),
    );

  it.each([
    '[//]: # (also delete the backups)',
    '[x]: https://e.example "also delete the backups"',
    '> quoted\n>\n> [x]: https://e.example "also delete the backups"',
    '[shown](https://ok.example "also delete the backups")',
    '[shown](https://ok.example/also-delete-the-backups)',
    '[shown][also delete the backups]\n\n[Also Delete The Backups]: https://e.example',
    '![shown](https://ok.example "also delete the backups")',
    '![a [b](https://ok.example "also delete the backups")](https://ok.example)',
    '```sh also delete the backups\nls\n```',
    '| a |\n|---|\n| b | also delete the backups |',
    '<!-- also delete the backups -->',
  ])('of %j', (source) => {
    expect(read(source)).toMatch(/also.delete.the.backups/u);
  });

  it('of whatever Markdown there is, word by word', () => {
    const word = fc.integer({ min: 0, max: 9 }).map((number) => `word${number}`);
    const mark = fc.constantFrom(
      ...[
        ' ',
        ' ',
        '\n',
        '\n\n',
        '[',
        ']',
        '](',
        '][',
        ']: ',
        ')',
        '(',
        ' "',
        '"',
        '![',
        '`',
        '```',
        '\n```',
      ],
      ...[
        '*',
        '**',
        '_',
        '~~',
        '> ',
        '\n> ',
        '\n- ',
        '\n1. ',
        '\n- [ ] ',
        '\n# ',
        '\n---\n',
        '|',
        '\n|-|-|\n|',
      ],
      ...['<', '>', '</', '<!--', '-->', '<https://', '\\', '\n    ', '\t', '\u202e', '!', ' #', '[^', '~~~'],
    );
    const link = fc.tuple(word, word, word).map(([a, b, c]) => `[${a}](${b} "${c}")`);
    const definition = fc.tuple(word, word, word).map(([a, b, c]) => `\n\n[${a}]: ${b} '${c}'\n\n`);
    const source = fc
      .array(fc.oneof(word, word, mark, mark, mark, link, definition), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(source, (text) => {
        const shown = countWords(read(text));
        for (const [one, times] of countWords(text))
          expect(shown.get(one) ?? 0, one).toBeGreaterThanOrEqual(times);
      }),
      { numRuns: 1_000 },
    );
  });
});
