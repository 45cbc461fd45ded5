/**
 * JSON text as a tree that keeps every byte: what stands between the values is in the tree too, so that writing the tree
 * gives the text back.
 */
import type { Json } from '../../domain/ledger/hash.ts';

export type JsonPath = readonly (string | number)[];

interface JsonScalar {
  readonly kind: 'scalar';
  raw: string;
}

export interface JsonItem {
  /** White space before the item, and between it and the comma or bracket behind it. */
  before: string;
  after: string;
  value: JsonNode;
}

export interface JsonMember extends JsonItem {
  readonly key: string;
  readonly rawKey: string;
  /** The colon with the white space around it. */
  readonly colon: string;
}

export interface JsonArray {
  readonly kind: 'array';
  readonly items: JsonItem[];
  /** White space inside the brackets while nothing else is there. */
  empty: string;
}

export interface JsonObject {
  readonly kind: 'object';
  readonly items: JsonMember[];
  empty: string;
}

export type JsonNode = JsonScalar | JsonArray | JsonObject;

export interface JsonTree {
  readonly before: string;
  root: JsonNode;
  readonly after: string;
}

export interface JsonProblem {
  readonly path: string;
  readonly message: string;
}

/** `userStories[2].title`; a key that is no plain name stands in quotes: `["a key"]`. */
export function showPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const name = String(step).slice(0, 100);
      if (!/^[A-Za-z_$][\w$-]*$/u.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/**
 * The value of a tree, so that what is checked is what is edited. Not by `JSON.parse` of the whole text: after it has read
 * an object with the key "\\", V8 13.6 takes an escaped key of the next object for that one.
 */
export function jsonValueOf(node: JsonNode): Json {
  if (node.kind === 'scalar') return JSON.parse(node.raw) as Json;
  if (node.kind === 'array') return node.items.map(({ value }) => jsonValueOf(value));
  const made: Record<string, Json> = {};
  for (const { key, value } of node.items) {
    // Defined, not assigned: `__proto__` is a key like any other.
    const field = { value: jsonValueOf(value), enumerable: true, configurable: true, writable: true };
    Object.defineProperty(made, key, field);
  }
  return made;
}

function writeItem(item: JsonItem | JsonMember, into: string[]): void {
  into.push(item.before);
  if ('rawKey' in item) into.push(item.rawKey, item.colon);
  writeNode(item.value, into);
  into.push(item.after);
}

function writeNode(node: JsonNode, into: string[]): void {
  if (node.kind === 'scalar') {
    into.push(node.raw);
    return;
  }
  const [open, close] = node.kind === 'array' ? ['[', ']'] : ['{', '}'];
  into.push(open);
  if (node.items.length === 0) into.push(node.empty);
  node.items.forEach((item, index) => {
    if (index > 0) into.push(',');
    writeItem(item, into);
  });
  into.push(close);
}

export function writeJsonNode(node: JsonNode): string {
  const parts: string[] = [];
  writeNode(node, parts);
  return parts.join('');
}

export function writeJsonTree(tree: JsonTree): string {
  return `${tree.before}${writeJsonNode(tree.root)}${tree.after}`;
}
