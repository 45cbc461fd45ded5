/** A YAML file as plain data that knows where each part of it stands: aliases and merge keys are resolved. */

export interface Place {
  /** Both begin at 1. */
  readonly line: number;
  readonly column: number;
}

export interface YamlScalar {
  readonly kind: 'scalar';
  readonly text: string;
  /** A text; not `true`, a number or nothing. */
  readonly isText: boolean;
  readonly at: Place;
  /** Where each `${{` of the text stands, in order. */
  readonly openings: readonly Place[];
  /** What stands behind it on its line: a comment, without `#`; empty if there is none. */
  readonly comment: string;
}

export interface YamlEntry {
  readonly key: string;
  readonly at: Place;
  readonly value: YamlNode;
}

export interface YamlMap {
  readonly kind: 'map';
  readonly entries: readonly YamlEntry[];
  readonly at: Place;
}

interface YamlList {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
  readonly at: Place;
}

export type YamlNode = YamlScalar | YamlMap | YamlList;

export function entryOf(node: YamlNode | null, key: string): YamlEntry | null {
  if (node === null || node.kind !== 'map') return null;
  return node.entries.find((entry) => entry.key === key) ?? null;
}

/** The value at a path of keys. */
export function valueAt(node: YamlNode | null, ...keys: readonly string[]): YamlNode | null {
  return keys.reduce<YamlNode | null>((at, key) => entryOf(at, key)?.value ?? null, node);
}

export function scalarAt(node: YamlNode | null, ...keys: readonly string[]): YamlScalar | null {
  const value = valueAt(node, ...keys);
  return value?.kind === 'scalar' ? value : null;
}

export function entriesAt(node: YamlNode | null, ...keys: readonly string[]): readonly YamlEntry[] {
  const value = valueAt(node, ...keys);
  return value?.kind === 'map' ? value.entries : [];
}

/** The texts of a scalar or of a list of scalars. */
export function scalarsOf(node: YamlNode | null): readonly YamlScalar[] {
  if (node === null || node.kind === 'map') return [];
  if (node.kind === 'scalar') return [node];
  return node.items.filter((item) => item.kind === 'scalar');
}

/** Every scalar below a node, each with the entry that it is the value of. */
export function* scalarsBelow(
  node: YamlNode | null,
  around: YamlEntry | null = null,
): Generator<{ readonly scalar: YamlScalar; readonly entry: YamlEntry | null }> {
  if (node === null) return;
  if (node.kind === 'scalar') yield { scalar: node, entry: around };
  else if (node.kind === 'list') for (const item of node.items) yield* scalarsBelow(item, around);
  else for (const entry of node.entries) yield* scalarsBelow(entry.value, entry);
}
