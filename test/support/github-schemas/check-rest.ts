/** Holds what goes over the REST interface of the test GitHub, both ways, against GitHub's OpenAPI description. */
import { checkShape } from './fitting-shapes.ts';
import { isRecord, type Json, SchemaBook } from './json-schema.ts';
import { readPublished } from './published-document.ts';
import { addViolation } from './violations.ts';

export interface RestExchange {
  readonly method: string;
  /** As it came, without what stands before it on GitHub Enterprise Server. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined when there was none. */
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

interface Operation {
  readonly name: string;
  readonly pattern: RegExp;
  readonly fixed: number;
  readonly description: Readonly<Record<string, Json>>;
}

/** Any operation may answer with these, although few say so. */
const usualRefusals = [301, 307, 401, 403, 404, 429];
/** Inputs that do not fit are refused with 422, of which the description says nothing. */
const unwritten = 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches';
/** Those parameters of an address that hold slashes. */
const withSlashes = ['ref', 'basehead', 'path', 'name'];

/** Where GitHub answers otherwise than it describes, and where that was reported. Each is seen in its answers. */
const otherwise: readonly { readonly operation: RegExp; readonly said: RegExp }[] = [
  // A label without a description, in lists only: github/rest-api-description#1812.
  { operation: /^GET .*\/pulls$/u, said: /\/labels\/\d+\/description must be string: null$/u },
  // A line that is gone since; the first line of several may be null by the description, the last not:
  // ZedThree/clang-tidy-review#142, vitali87/croft#454.
  { operation: /^GET .*\/pulls\/\{pull_number\}\/comments$/u, said: /\/line must be integer: null$/u },
  // "No commit found for SHA": readthedocs/readthedocs.org#9347, rust-lang/homu#141.
  { operation: /^POST .*\/statuses\/\{sha\}$/u, said: /^answered 422, / },
];

function isDescribed({ name }: Operation, text: string): boolean {
  return !otherwise.some(({ operation, said }) => operation.test(name) && said.test(text));
}

class RestBook {
  readonly #components: Readonly<Record<string, Json>>;
  readonly #schemas: SchemaBook;
  readonly #operations = new Map<string, Operation[]>();
  readonly #found = new Map<string, Operation | null>();

  constructor() {
    const document = readPublished('openapi');
    const { components, paths } = document as {
      components: Record<string, Json>;
      paths: Record<string, Json>;
    };
    this.#components = components;
    this.#schemas = new SchemaBook(components);
    for (const [template, item] of Object.entries(paths)) {
      const parts = template.split(/(\{[^}]+\})/u);
      const source = parts.map((part) => {
        if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
        return withSlashes.includes(part.slice(1, -1)) ? '.+' : '[^/]+';
      });
      const pattern = new RegExp(`^${source.join('')}$`, 'u');
      for (const [method, description] of Object.entries(isRecord(item) ? item : {})) {
        const known = this.#operations.get(method.toUpperCase()) ?? [];
        if (isRecord(description))
          known.push({
            ...{ name: `${method.toUpperCase()} ${template}`, pattern, description },
            fixed: parts.filter((part) => !part.startsWith('{')).join('').length,
          });
        this.#operations.set(method.toUpperCase(), known);
      }
    }
  }

  /** The one with most fixed letters: `/issues/comments` is no issue called "comments". */
  #find(method: string, path: string): Operation | null {
    const key = `${method} ${path}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const fitting = (this.#operations.get(method) ?? []).filter(({ pattern }) => pattern.test(path));
    const found = fitting.toSorted((a, b) => b.fixed - a.fixed)[0] ?? null;
    this.#found.set(key, found);
    return found;
  }

  #resolve(value: Json | undefined): Readonly<Record<string, Json>> {
    if (!isRecord(value)) return {};
    const [, , kind = '', name = ''] = typeof value.$ref === 'string' ? value.$ref.split('/') : [];
    if (kind === '') return value;
    const group = this.#components[kind];
    return this.#resolve(isRecord(group) ? group[name] : undefined);
  }

  #schemaIn(holder: Json | undefined): Json | null {
    const { content } = this.#resolve(holder);
    const { schema } = this.#resolve(isRecord(content) ? content['application/json'] : undefined);
    return schema ?? null;
  }

  check(exchange: RestExchange): string[] {
    const { method, status } = exchange;
    // Addresses by number are not described; GitHub answers there as at the name.
    const path = exchange.path.replace(/^\/repositories\/\d+(?=\/|$)/u, '/repos/o/r');
    const operation = this.#find(method, path);
    if (operation === null) return [`${method} ${path} is nothing that GitHub has.`];
    const asked = status === 400 || status === 422 ? [] : this.#checkRequest(operation, exchange);
    const wrong = [...asked, ...this.#checkAnswer(operation, exchange)];
    return wrong.filter((one) => isDescribed(operation, one)).map((one) => `${operation.name}: ${one}`);
  }

  #checkRequest({ name, description }: Operation, { query, body }: RestExchange): string[] {
    const parameters = Array.isArray(description.parameters) ? description.parameters : [];
    const known = parameters.map((one) => this.#resolve(one)).filter((one) => one.in === 'query');
    const wrong = [...query].flatMap(([key, value]) => {
      const parameter = known.find((one) => one.name === key);
      if (parameter === undefined) return [`asked with "${key}", which it does not take`];
      const schema = this.#resolve(parameter.schema);
      const typed = ['integer', 'number'].includes(String(schema.type)) ? Number(value) : value;
      const given = schema.type === 'boolean' ? value === 'true' : typed;
      return this.#schemas
        .check(`${name} ?${key}`, schema, given)
        .map((one) => `asked with "${key}": ${one}`);
    });
    const missing = known.filter((one) => one.required === true && !query.has(String(one.name)));
    return [
      ...wrong,
      ...missing.map((one) => `asked without "${String(one.name)}"`),
      ...this.#checkBody(name, description, body),
    ];
  }

  #checkBody(name: string, description: Operation['description'], body: unknown): string[] {
    const holder = this.#resolve(description.requestBody);
    const schema = this.#schemaIn(holder);
    if (schema === null) return body === undefined ? [] : ['asked with a body, and it takes none'];
    if (body === undefined) return holder.required === true ? ['asked without a body'] : [];
    const { properties, additionalProperties } = this.#resolve(schema);
    const isClosed = isRecord(properties) && additionalProperties === undefined && isRecord(body);
    const unknown = isClosed ? Object.keys(body).filter((key) => !Object.hasOwn(properties, key)) : [];
    return [
      ...unknown.map((key) => `asked with a body that has "${key}", which it does not take`),
      ...this.#schemas.check(`${name} body`, schema, body).map((one) => `asked with a body: ${one}`),
    ];
  }

  #checkAnswer({ name, description }: Operation, { status, answer }: RestExchange): string[] {
    const responses = isRecord(description.responses) ? description.responses : {};
    if (status === 304) return [];
    const isUnwritten = status === 422 && name === unwritten;
    const isUsual = usualRefusals.includes(status) || status >= 500 || isUnwritten;
    const described = responses[String(status)];
    if (described === undefined && !isUsual)
      return [`answered ${status}, and only knows ${Object.keys(responses).join(', ')}`];
    const schema =
      described === undefined ? { $ref: '#/components/schemas/basic-error' } : this.#schemaIn(described);
    if (schema === null) return answer === undefined ? [] : [`answered ${status} with a body, and has none`];
    return this.#schemas
      .check(`${name} ${status}`, schema, answer)
      .map((one) => `answered ${status}: ${one}`);
  }
}

/** The words of an address that GitHub chose. */
function shortenPath(path: string): string {
  const [first = '', ...parts] = path.split('/').slice(1);
  const rest = first === 'repos' ? parts.slice(2) : first === 'repositories' ? parts.slice(1) : parts;
  const [kind = '', ...more] = rest;
  const words = more.map((part) => (/^(?:[a-z]{3,}[a-z_-]*)$/u.test(part) ? part : '*'));
  // Names of branches and labels may look like words of GitHub's; then they only cost another look.
  return [first === 'repositories' ? 'repos' : first, kind, ...words].join('/');
}

let book: RestBook | null = null;

export function checkRest(exchange: RestExchange): void {
  const { method, path, query, body, status, answer } = exchange;
  // Names and numbers in an address do not matter, nor do those in the query; words in a query may be of a fixed list.
  const words = [...query].map(([key, value]) => `${key}=${/^[a-z_]+$/u.test(value) ? value : '*'}`);
  const scope = `${method} ${shortenPath(path)}?${words.join('&')} ${status}`;
  const wrong = checkShape(scope, { body, answer }, () => {
    book ??= new RestBook();
    return book.check(exchange);
  });
  for (const text of wrong) addViolation(text);
}
