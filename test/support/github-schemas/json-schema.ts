/** Checks values against the schemas of a published description; each is compiled when it is first needed. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export function isRecord(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const prefix = '#/components/schemas/';

/** OpenAPI 3.0 says `nullable`, which is no word of JSON Schema. */
function translate(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(translate);
  if (!isRecord(schema)) return schema;
  const { nullable, $ref, ...others } = schema;
  const entries = Object.entries(others).map(([key, inner]) => {
    if (key === 'enum' || key === 'required') return [key, inner] as const;
    if (key !== 'properties' || !isRecord(inner)) return [key, translate(inner)] as const;
    return [
      key,
      Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, translate(one)])),
    ] as const;
  });
  const reference = typeof $ref === 'string' ? { $ref: $ref.replace(prefix, '') } : {};
  const translated = { ...Object.fromEntries(entries), ...reference };
  return nullable === true ? { anyOf: [{ type: 'null' }, translated] } : translated;
}

function* referencesIn(schema: Json): Generator<string> {
  if (Array.isArray(schema)) for (const one of schema) yield* referencesIn(one);
  else if (isRecord(schema)) {
    if (typeof schema.$ref === 'string') yield schema.$ref;
    for (const [key, inner] of Object.entries(schema)) if (key !== 'enum') yield* referencesIn(inner);
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function explain({ instancePath, message = '', params, data, keyword }: ErrorObject): string {
  const allowed = keyword === 'enum' ? ` ${show(params.allowedValues)}` : '';
  return `${instancePath || '(all of it)'} ${message}${allowed}: ${show(data)}`;
}

export class SchemaBook {
  readonly #schemas: Readonly<Record<string, Json>>;
  readonly #ajv: Ajv2020;
  readonly #added = new Set<string>();
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(components: Json) {
    const schemas = isRecord(components) ? components.schemas : undefined;
    this.#schemas = isRecord(schemas) ? schemas : {};
    const options = { strict: false, validateSchema: false, logger: false, verbose: true } as const;
    this.#ajv = new Ajv2020({ ...options, allErrors: true, code: { optimize: false } });
    formats.default(this.#ajv);
  }

  #require(schema: Json): void {
    for (const name of referencesIn(schema)) {
      if (this.#added.has(name)) continue;
      this.#added.add(name);
      const translated = translate(this.#schemas[name] ?? false);
      this.#ajv.addSchema(translated as object, name);
      this.#require(translated);
    }
  }

  /** @param key one for each schema */
  #compile(key: string, schema: Json): ValidateFunction {
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const translated = translate(schema);
    this.#require(translated);
    const compiled = this.#ajv.compile(translated as object);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  /** What is wrong with it, each once; empty when it fits. */
  check(key: string, schema: Json, value: unknown): string[] {
    const validate = this.#compile(key, schema);
    if (validate(value)) return [];
    const texts = (validate.errors ?? []).map(explain);
    return [...new Set(texts)].slice(0, 12);
  }
}
