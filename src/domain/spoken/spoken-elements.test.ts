/** Which elements of HTML are closed where, and what nobody can tell. */
import { describe, expect, it } from 'vitest';
import { OpenElements } from './spoken-elements.ts';
import { mentions } from './spoken-text.ts';

const isHeard = (text: string): boolean => mentions(text, 'claude');

describe('an element that is known', () => {
  it.each([
    ...[
      'a',
      'abbr',
      'b',
      'big',
      'blockquote',
      'center',
      'cite',
      'code',
      'dd',
      'del',
      'details',
      'dfn',
      'div',
    ],
    ...[
      'dl',
      'dt',
      'em',
      'figcaption',
      'figure',
      'font',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'i',
      'ins',
      'kbd',
    ],
    ...['li', 'mark', 'ol', 'p', 'picture', 'pre', 'q', 's', 'samp', 'section', 'small', 'span', 'strike'],
    ...[
      'strong',
      'sub',
      'summary',
      'sup',
      'table',
      'tbody',
      'td',
      'tfoot',
      'th',
      'thead',
      'tr',
      'tt',
      'u',
      'ul',
    ],
    'var',
  ])('<%s> hides what is in it, and nothing after it', (name) => {
    expect(isHeard(`x <${name}>@claude go</${name}>`)).toBe(false);
    expect(isHeard(`x <${name}>y</${name}> @claude go`)).toBe(true);
    expect(isHeard(`x <${name.toUpperCase()} a="b>c" d='e' f=g h>y</${name}  > @claude go`)).toBe(true);
    expect(isHeard(`x <${name}>\n\n@claude go`)).toBe(false);
    expect(isHeard(`<${name}>\n\ny\n\n</${name}>\n\n@claude go`)).toBe(true);
    expect(isHeard(`x <${name}/> @claude go`)).toBe(false);
    expect(isHeard(`x </${name}> @claude go`)).toBe(false);
    expect(isHeard(`x <${name}><${name}>y</${name}> @claude go`)).toBe(false);
  });
});

describe('an element that is not', () => {
  it.each([
    ...[
      'template',
      'script',
      'style',
      'textarea',
      'title',
      'xmp',
      'plaintext',
      'iframe',
      'noscript',
      'noembed',
    ],
    ...['svg', 'math', 'select', 'option', 'button', 'form', 'object', 'video', 'x-y', 'input', 'meta'],
  ])('<%s> hides all that follows', (name) => {
    expect(isHeard(`@claude go <${name}>`)).toBe(true);
    expect(isHeard(`x <${name}>y</${name}> @claude go`)).toBe(false);
    expect(isHeard(`x <${name}> @claude go`)).toBe(false);
  });
});

describe('an element without an inside', () => {
  it.each(['<br>', '<br/>', '<BR />', '<hr>', '<img src="x">', '<wbr>'])('%s hides nothing', (tag) =>
    expect(isHeard(`x ${tag} @claude go`)).toBe(true),
  );
  it.each([
    ['<br>', 'break'],
    ['<hr/>', 'break'],
    ['<br><hr>', 'break'],
    ['<img alt="x">', 'thing'],
    ['<wbr>', 'thing'],
    ['<br><img><br>', 'thing'],
    ['<!-- x -->', 'nothing'],
    ['<!-- x --><br>', 'break'],
    ['<br><!-- x -->', 'nothing'],
    ['  \n', 'nothing'],
    ['x', 'thing'],
    ['<br> x <br>', 'thing'],
    ['<b></b>', 'thing'],
    ['<div>', 'thing'],
    ['</div>', 'thing'],
    ['<!-- a --!> -->', 'thing'],
    ['</string>', 'thing'],
    ['</string><br>', 'thing'],
  ] as const)('%s leaves a %s', (html, left) => {
    // Whether a break or nothing is left after a comment is the same to whoever reads words.
    const found = new OpenElements().read(html);
    expect(left === 'nothing' ? ['nothing', 'break'] : [left]).toContain(found);
  });
  it('goes on after the end of what HTML never had', () => {
    const elements = new OpenElements();
    expect(elements.read('</string><b>')).toBe('thing');
    expect(elements.isInside).toBe(true);
    expect(elements.read('</string></b>')).toBe('thing');
    expect(elements.isInside).toBe(false);
  });
  it.each(['br', 'img'])('</%s> is none that is known', (name) =>
    expect(isHeard(`x </${name}> @claude go`)).toBe(false),
  );
  it('is not looked up in what every object has', () => {
    expect(new OpenElements().read('<constructor>')).toBe('thing');
    expect(isHeard('x <constructor> @claude go')).toBe(true);
  });
});

describe('a comment', () => {
  it.each(['<!-- x -->', '<!---->', '<!-- a -- b -->', '<!-- <del> -->', '<!-- a > b -->'])(
    '%s hides itself',
    (html) => {
      const elements = new OpenElements();
      elements.read(html);
      expect(elements.isInside).toBe(false);
    },
  );
  it.each([
    '<!-- x',
    '<!-->',
    '<!--->',
    '<!-- a --!> b -->',
    '<!x>',
    '<!DOCTYPE html>',
    '<?x?>',
    '<![CDATA[x]]>',
    '<',
  ])('%s may hide all that follows', (html) => {
    const elements = new OpenElements();
    expect(elements.read(html)).toBe('thing');
    expect(elements.isInside).toBe(true);
    elements.read('</div><!-- -->');
    expect(elements.isInside).toBe(true);
  });
});

describe('a tag that is badly written', () => {
  it.each([
    '<div <del>',
    '<div a"b>',
    '<div a=b"c>',
    '<div a="b>',
    '<div a=>',
    '<div "a">',
    '</div a>',
    '<div a=`b`>',
  ])('%s may hide all that follows', (html) => {
    const elements = new OpenElements();
    elements.read('<div>');
    elements.read(html);
    elements.read('</div>');
    expect(elements.isInside).toBe(true);
  });
});

describe('how a tag may be written', () => {
  it.each([
    ...['<div  a>', '<div\ta>', '<div a = b>', '<div a= b>', '<div a =b>', '<div a=bc>', "<div a='bc'>"],
    ...[
      '<div a="bc">',
      "<div a=''>",
      '<div a="">',
      '<div _a :b c-d.e:f>',
      '<div a  b>',
      '<div a\n=\n"b">',
      '<div >',
    ],
  ])('%j is known, and closed by its end tag', (html) => {
    const elements = new OpenElements();
    expect(elements.read(html)).toBe('thing');
    expect(elements.isInside).toBe(true);
    expect(elements.read('</div>')).toBe('thing');
    expect(elements.isInside).toBe(false);
  });
  it.each(['<div1a b>', '<div -a>', '<div a==b>', '<div a="b"c>', '<div a=b=c>', '< div>', "<div a='b>"])(
    '%j is not',
    (html) => {
      const elements = new OpenElements();
      elements.read(html);
      elements.read('</div>');
      expect(elements.isInside).toBe(true);
    },
  );
  it.each(['<!--> x -->', '<!---> x -->', '<!-- a --!> b -->'])('%j is no comment that is known', (html) => {
    const elements = new OpenElements();
    elements.read(html);
    expect(elements.isInside).toBe(true);
  });
  it('a comment ends at its first end', () => {
    const elements = new OpenElements();
    elements.read('<!-- a --><div><!-- b -->');
    expect(elements.isInside).toBe(true);
    elements.read('</div>');
    expect(elements.isInside).toBe(false);
  });
});

describe('brackets that are no element', () => {
  it.each([
    'Array<string>',
    'Map<K>',
    'Promise<void>',
    'the <name> of it',
    'List<Foo></Foo>',
    'x <T> y </T>',
  ])('%s does not hide what follows', (words) => {
    expect(mentions(`It takes ${words} here.\n\n@claude fix it`, 'claude')).toBe(true);
    expect(mentions(`It takes ${words}, @claude fix it`, 'claude')).toBe(true);
  });
  it.each([
    '<script>',
    '<template>',
    '<textarea>',
    '<x-y>',
    '<name hidden>',
    '<svg>',
    '<title>',
    '<plaintext>',
  ])('%s does', (words) =>
    expect(mentions(`It takes ${words} here.\n\n@claude fix it`, 'claude')).toBe(false),
  );
});
