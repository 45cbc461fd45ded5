/**
 * Payloads made from GitHub's description of a delivery: everything in them is what it allows, and what it leaves open is
 * chosen: whether an optional field is there, whether a field that may be null is, and which of several forms it has.
 */
import { isRecord, type Json } from './json-schema.ts';

/** Says of each choice, by where it is, what is taken: one of so many. */
export type Choose = (path: string, count: number) => number;

const commit = 'a'.repeat(40);
const deepest = 12;

function makeText(path: string, format: Json | undefined): string {
  const name = path.split('.').at(-1) ?? '';
  if (format === 'date-time') return '2026-06-01T09:00:00Z';
  if (format === 'date') return '2026-06-01';
  if (format === 'uri' || format === 'uri-template') return 'https://api.github.com/somewhere';
  if (format === 'email') return 'alice@example.com';
  if (/(?:^|_)(?:sha|before|after)$|^commit_id$/u.test(name)) return commit;
  return `some ${name}`;
}

export class PayloadMaker {
  readonly #schemas: Readonly<Record<string, Json>>;

  constructor(schemas: Readonly<Record<string, Json>>) {
    this.#schemas = schemas;
  }

  /** What each of two says of the same property holds. */
  #join(one: Json | undefined, other: Json | undefined): Record<string, Json> {
    const joined = { ...((one ?? {}) as Record<string, Json>) };
    for (const [name, schema] of Object.entries((other ?? {}) as Record<string, Json>))
      joined[name] = joined[name] === undefined ? schema : { allOf: [joined[name], schema] };
    return joined;
  }

  #joinAll(parts: readonly Readonly<Record<string, Json>>[]): Record<string, Json> {
    const whole: Record<string, Json> = {};
    for (const part of parts) {
      const properties = this.#join(whole.properties, part.properties);
      const required = [...((whole.required ?? []) as Json[]), ...((part.required ?? []) as Json[])];
      const items = [whole.items, part.items].filter((one) => one !== undefined);
      Object.assign(
        whole,
        part,
        { properties, required },
        items.length > 1 ? { items: { allOf: items } } : {},
      );
    }
    return whole;
  }

  /** With what all parts of it say together. */
  #resolve(schema: Json): Readonly<Record<string, Json>> {
    if (!isRecord(schema)) return {};
    const { $ref, allOf, ...own } = schema;
    const parts = [
      ...(typeof $ref === 'string' ? [this.#schemas[$ref.split('/').at(-1) ?? ''] ?? {}] : []),
      ...(Array.isArray(allOf) ? allOf : []),
    ].map((one) => this.#resolve(one));
    return this.#joinAll([...parts, own]);
  }

  make(schema: Json, choose: Choose, path = ''): Json {
    const whole = this.#resolve(schema);
    const forms = whole.anyOf ?? whole.oneOf;
    if (Array.isArray(forms)) {
      const { anyOf: _, oneOf: __, ...rest } = whole;
      const chosen = this.#resolve(forms[choose(`${path}|form`, forms.length)] ?? {});
      return this.make(this.#joinAll([rest, chosen]), choose, path);
    }
    if (Array.isArray(whole.enum)) {
      const words = whole.enum;
      return words[choose(`${path}|word`, words.length)] ?? null;
    }
    const types = Array.isArray(whole.type) ? whole.type : [whole.type ?? 'object'];
    return this.#makeOf(types[choose(`${path}|type`, types.length)] ?? 'null', whole, choose, path);
  }

  #makeOf(type: Json, schema: Readonly<Record<string, Json>>, choose: Choose, path: string): Json {
    switch (type) {
      case 'null':
        return null;
      case 'boolean':
        return choose(`${path}|yes`, 2) === 1;
      case 'integer':
      case 'number':
        return 7;
      case 'string':
        return makeText(path, schema.format);
      case 'array': {
        const isEmpty = path.split('.').length > deepest || choose(`${path}|some`, 2) === 0;
        return isEmpty && schema.minItems === undefined
          ? []
          : [this.make(schema.items ?? {}, choose, `${path}.0`)];
      }
      default: {
        const required = (schema.required ?? []) as readonly Json[];
        const kept = Object.entries((schema.properties ?? {}) as Record<string, Json>).filter(([name]) => {
          const isDeep = path.split('.').length > deepest;
          return required.includes(name) || (!isDeep && choose(`${path}.${name}|there`, 2) === 1);
        });
        return Object.fromEntries(
          kept.map(([name, one]) => [name, this.make(one, choose, `${path}.${name}`)]),
        );
      }
    }
  }
}
