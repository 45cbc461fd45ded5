/** Markdown becomes elements that this file can list; what an attacker writes stays text. */
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { longestMarkdown, renderMarkdown } from './render-markdown.tsx';

const render = (source: string): string => renderToStaticMarkup(renderMarkdown(source));

it.each([
  [
    '# One\n\nA *b* **c** ~~d~~ `e`',
    '<h3>One</h3><p>A <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>',
  ],
  ['###### Six', '<h6>Six</h6>'],
  ['3. a\n4. b', '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>'],
  ['```js\nlet a = "<b>";\n```', '<pre><code>let a = &quot;&lt;b&gt;&quot;;</code></pre>'],
  ['> quoted', '<blockquote><p>quoted</p></blockquote>'],
  ['a  \nb', '<p>a<br/>b</p>'],
  ['[a][b]\n\n[b]: https://example.com/x', 'href="https://example.com/x"'],
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
    expect(render('*'.repeat(longestMarkdown + 1))).toMatch(/^<pre class="source">\*+<\/pre>$/u);
  });
});
