/**
 * HTML in a comment: which elements are open at a place in it. A forge may strike out, fold away or hide what stands in
 * an element, so nothing there counts as the writer's own words. Only what is surely closed counts as closed: the list of
 * elements is a list of those that are known, each tag has to be well formed, and after anything else all that follows
 * may be inside of something.
 */

/** Elements that end with their end tag, wherever they stand. */
const closableElements: ReadonlySet<string> = new Set([
  ...['a', 'abbr', 'b', 'big', 'blockquote', 'center', 'cite', 'code', 'dd', 'del', 'details', 'dfn', 'div'],
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
]);

/**
 * Every other name that HTML has or had: after such a tag, code cannot know what the forge shows. A tag with a name
 * that HTML never had, such as the one in `Array<string>`, is taken out by the forge, and what follows is shown as it
 * stands.
 */
const otherNames: ReadonlySet<string> = new Set(
  `acronym address annotation applet area article aside audio base basefont bdi bdo bgsound blink body button canvas caption
  col colgroup command content data datalist desc dialog dir element embed fencedframe fieldset footer foreignobject form
  frame frameset head header hgroup html iframe image input isindex keygen label legend link listing main map marquee math
  menu menuitem meta meter model multicol nav nextid nobr noembed noframes noscript object optgroup option output param
  plaintext portal progress rb rp rt rtc ruby script search select selectedcontent shadow slot source spacer style svg
  template textarea time title track video xml xmp`.split(/\s+/u),
);

const isNoElement = (name: string): boolean =>
  /^[a-z][a-z0-9]*$/u.test(name) &&
  !otherNames.has(name) &&
  !closableElements.has(name) &&
  !Object.hasOwn(voidElements, name);

/** Elements that have no inside, and what is left of them: a break between words, or something that is no word. */
const voidElements: Readonly<Record<string, 'break' | 'thing'>> = {
  br: 'break',
  hr: 'break',
  img: 'thing',
  wbr: 'thing',
};

const attribute = /\s+[a-z_:][a-z0-9_.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?/iu.source;
const openTag = new RegExp(`<([a-z][a-z0-9-]*)(?:${attribute})*\\s*/?>`, 'iuy');
const endTag = /<\/([a-z][a-z0-9-]*)\s*>/iuy;
/**
 * Browsers end a comment at some more places than Markdown does; a comment with such a place in it is not taken for
 * one.
 */
const comment = /<!--(?!-?>)(?:(?!--!?>)[\s\S])*-->/uy;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export class OpenElements {
  readonly #open: string[] = [];
  #isLost = false;

  /** Whether what stands here may be inside of an element. */
  get isInside(): boolean {
    return this.#isLost || this.#open.length > 0;
  }

  /** From here on, code cannot know which text is inside of an element. */
  lose(): void {
    this.#isLost = true;
  }

  /** Reads a piece of HTML and says what it leaves between the words around it. */
  read(html: string): 'nothing' | 'break' | 'thing' {
    let left: 'nothing' | 'break' | 'thing' = 'nothing';
    let at = 0;
    while (at < html.length && !this.#isLost) {
      const next = html.indexOf('<', at);
      const words = html.slice(at, next === -1 ? html.length : next);
      if (words.trim() !== '') left = 'thing';
      if (next === -1) return left;
      const { end, leaves } = this.#readTag(html, next);
      if (leaves === 'thing' || left === 'nothing') left = leaves;
      at = end;
    }
    return this.#isLost ? 'thing' : left;
  }

  #readTag(html: string, at: number): { end: number; leaves: 'nothing' | 'break' | 'thing' } {
    const hidden = matchAt(comment, html, at);
    if (hidden !== null) return { end: at + hidden[0].length, leaves: 'nothing' };
    const begun = matchAt(openTag, html, at);
    const name = begun?.[1]?.toLowerCase() ?? '';
    const leaves = Object.hasOwn(voidElements, name) ? voidElements[name] : undefined;
    if (begun !== null && leaves !== undefined) return { end: at + begun[0].length, leaves };
    if (begun !== null && closableElements.has(name)) {
      this.#open.push(name);
      return { end: at + begun[0].length, leaves: 'thing' };
    }
    // With attributes it is more than the brackets of a type.
    if (begun !== null && begun[0].length === name.length + 2 && isNoElement(name))
      return { end: at + begun[0].length, leaves: 'thing' };
    const ended = matchAt(endTag, html, at);
    const endedName = ended?.[1]?.toLowerCase() ?? '';
    if (ended !== null && isNoElement(endedName)) return { end: at + ended[0].length, leaves: 'thing' };
    if (ended !== null && this.#open.at(-1) === endedName) {
      this.#open.pop();
      return { end: at + ended[0].length, leaves: 'thing' };
    }
    this.lose();
    return { end: html.length, leaves: 'thing' };
  }
}
