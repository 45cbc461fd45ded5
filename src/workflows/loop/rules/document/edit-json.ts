/**
 * Changes single values of a JSON text and leaves every other byte as it is: line ends, indentation, the order of keys and
 * fields that only other programs know. prd.json belongs to the people who read its diff.
 */
import { canonicalJson, type Json } from '../../../../domain/ledger/hash.ts';
import { GatewrightError } from '../../../../errors.ts';
import {
  type JsonItem,
  type JsonMember,
  type JsonNode,
  type JsonPath,
  type JsonTree,
  jsonValueOf,
  showPath,
  writeJsonNode,
  writeJsonTree,
} from '../../../documents/json-tree.ts';
import { readJsonTree } from '../../../documents/read-json-tree.ts';

export interface JsonEdit {
  readonly path: JsonPath;
  /** `undefined` takes the key or the item out. */
  readonly value: Json | undefined;
}

/** How the file is written; new lines are written the same way. */
interface Style {
  /** Null when the whole text is on one line. */
  readonly newline: string | null;
  readonly unit: string;
  readonly colon: string;
  readonly comma: string;
}

function refuse(message: string, details: readonly string[] = []): never {
  throw new GatewrightError('prd-invalid', message, { details });
}

/** What stands between the last line break and the value. */
const indentOf = (white: string): string | null => /[\n\r]([ \t]*)$/u.exec(white)?.[1] ?? null;

function readStyle(tree: JsonTree): Style {
  let newline: string | null = null;
  let unit: string | null = null;
  let colon: string | null = null;
  let comma: string | null = null;
  const visit = (node: JsonNode, indent: string): void => {
    if (node.kind === 'scalar') return;
    node.items.forEach((item: JsonItem | JsonMember, index) => {
      const own = indentOf(item.before);
      if (own !== null) {
        newline ??= /\r\n|\r|\n/u.exec(item.before)?.[0] ?? null;
        if (unit === null && own.startsWith(indent) && own.length > indent.length)
          unit = own.slice(indent.length);
      } else if (index > 0) comma ??= item.before;
      if ('colon' in item) colon ??= item.colon;
      visit(item.value, own ?? indent);
    });
  };
  visit(tree.root, '');
  colon ??= ': ';
  return { newline, unit: unit ?? '  ', colon, comma: comma ?? (/:[ \t]/u.test(colon) ? ' ' : '') };
}

function printOnLine(value: Json, style: Style): string {
  if (value === null || typeof value !== 'object') return canonicalJson(value);
  if (Array.isArray(value)) return `[${value.map((one) => printOnLine(one, style)).join(`,${style.comma}`)}]`;
  const colon = style.colon.replace(/[\n\r]\s*/gu, ' ');
  const members = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => `${JSON.stringify(key)}${colon}${printOnLine(field, style)}`);
  return `{${members.join(`,${style.comma}`)}}`;
}

/** A value over several lines, each but the first behind `indent`. Texts hold no line break: JSON writes `\n`. */
function printOverLines(value: Json, indent: string, newline: string, unit: string): string {
  return JSON.stringify(value, null, '\u0001')
    .split('\n')
    .map((line, index) => {
      const depth = /^\u0001*/u.exec(line)?.[0].length ?? 0;
      return index === 0 ? line : `${indent}${unit.repeat(depth)}${line.slice(depth)}`;
    })
    .join(newline);
}

/** `JSON.stringify` writes `null` for what JSON cannot say; here that is an error. */
function checkValue(value: Json, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(`${path} cannot be ${value} in JSON.`);
  if (value === null || typeof value !== 'object') return;
  for (const one of Object.values(value)) if (one !== undefined) checkValue(one, path);
}

function parseNode(raw: string): JsonNode {
  const read = readJsonTree(raw);
  if ('problems' in read)
    refuse(
      'A value cannot be written as JSON.',
      read.problems.map(({ message }) => message),
    );
  return read.tree.root;
}

/** Whether a value is the one that is there. Not by its hash: `1e999` in a file is no number that JSON can write again. */
function isSame(node: JsonNode, value: Json): boolean {
  if (node.kind === 'scalar') return jsonValueOf(node) === value;
  if (value === null || typeof value !== 'object' || Array.isArray(value) !== (node.kind === 'array'))
    return false;
  const fields = Object.entries(value as Readonly<Record<string, Json>>).filter(
    ([, one]) => one !== undefined,
  );
  if (fields.length !== node.items.length) return false;
  if (node.kind === 'array')
    return node.items.every((item, at) => isSame(item.value, fields[at]?.[1] ?? null));
  const members = new Map(node.items.map((item) => [item.key, item.value]));
  return fields.every(([key, one]) => {
    const member = members.get(key);
    return member !== undefined && isSame(member, one);
  });
}

class Editor {
  readonly #tree: JsonTree;
  readonly #style: Style;

  constructor(tree: JsonTree) {
    this.#tree = tree;
    this.#style = readStyle(tree);
  }

  /** A new node; where it takes the place of a list on one line, it stays on one line. */
  #make(value: Json, indent: string, old: JsonNode | null): JsonNode {
    const { newline, unit } = this.#style;
    const isShort =
      old !== null && old.kind !== 'scalar' && old.items.length > 0 && !/[\n\r]/u.test(writeJsonNode(old));
    const isLong = newline !== null && !isShort;
    return parseNode(isLong ? printOverLines(value, indent, newline, unit) : printOnLine(value, this.#style));
  }

  /** Puts an item behind the last one; `own` is the indentation of the line on which the list begins. */
  #append(list: JsonItem[], fresh: JsonItem, own: string, empty: string): void {
    const last = list.at(-1);
    if (last !== undefined) {
      const isAlone = list.length === 1 && last.before === '';
      fresh.before = isAlone ? this.#style.comma : last.before;
      fresh.after = last.after;
      last.after = '';
    } else if (this.#style.newline !== null) {
      fresh.before = `${this.#style.newline}${own}${this.#style.unit}`;
      fresh.after = `${this.#style.newline}${own}`;
    } else {
      fresh.before = empty;
      fresh.after = empty;
    }
    list.push(fresh);
  }

  #remove(list: JsonItem[], index: number): void {
    const [gone] = list.splice(index, 1);
    if (gone === undefined) return;
    const last = list.at(-1);
    // The last item stands before the closing bracket, the first behind the opening one.
    if (index === list.length && last !== undefined) last.after = gone.after;
    if (index === 0 && list[0] !== undefined) list[0].before = gone.before;
  }

  /** The item at a step, or where it would be; null when the step does not fit. */
  #find(node: JsonNode, step: string | number): number | null {
    if (node.kind === 'array' && typeof step === 'number' && Number.isInteger(step) && step >= 0) {
      return step <= node.items.length ? step : null;
    }
    if (node.kind !== 'object' || typeof step !== 'string') return null;
    const index = node.items.findIndex(({ key }) => key === step);
    return index === -1 ? node.items.length : index;
  }

  apply({ path, value }: JsonEdit): void {
    const shown = path.length === 0 ? 'The whole text' : showPath(path);
    if (value !== undefined) checkValue(value, shown);
    const step = path.at(-1);
    if (step === undefined) {
      if (value === undefined) refuse('The whole text cannot be taken out.');
      if (!isSame(this.#tree.root, value)) this.#tree.root = this.#make(value, '', this.#tree.root);
      return;
    }
    let node = this.#tree.root;
    let indent = '';
    for (const one of path.slice(0, -1)) {
      const index = this.#find(node, one);
      const item: JsonItem | undefined =
        node.kind === 'scalar' || index === null ? undefined : node.items[index];
      if (item === undefined) refuse(`${shown} leads through something that is not there.`);
      indent = indentOf(item.before) ?? indent;
      node = item.value;
    }
    const index = this.#find(node, step);
    if (index === null || node.kind === 'scalar') refuse(`${shown} does not fit what is there.`);
    const item: JsonItem | undefined = node.items[index];
    if (value === undefined) {
      this.#remove(node.items, index);
      return;
    }
    if (item !== undefined) {
      if (isSame(item.value, value)) return;
      item.value = this.#make(value, indentOf(item.before) ?? indent, item.value);
      return;
    }
    const fresh = { before: '', after: '', value: parseNode('null') };
    const added: JsonItem | JsonMember =
      node.kind === 'array'
        ? fresh
        : {
            ...fresh,
            key: String(step),
            rawKey: JSON.stringify(step),
            colon: node.items.at(-1)?.colon ?? this.#style.colon,
          };
    this.#append(node.items, added, indent, node.empty);
    added.value = this.#make(value, indentOf(added.before) ?? indent, null);
  }
}

/**
 * Applies the edits one after the other: replaces just the bytes of a value, adds a key at the end of its object or an
 * item at the end of its list, takes either out. A value that is already there keeps its bytes. Refuses text that is not
 * JSON or has a key twice, and a path that leads through nothing.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  const read = readJsonTree(text);
  if ('problems' in read) {
    const details = read.problems.slice(0, 20).map(({ path, message }) => `${path} ${message}`.trim());
    return refuse('The JSON text cannot be changed.', details);
  }
  const editor = new Editor(read.tree);
  for (const edit of edits) editor.apply(edit);
  return edits.length === 0 ? text : writeJsonTree(read.tree);
}
