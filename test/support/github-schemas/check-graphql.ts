/** Holds what goes over the GraphQL interface of the test GitHub, both ways, against the schema that GitHub publishes. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLError,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { checkShape } from './fitting-shapes.ts';
import { isRecord } from './json-schema.ts';
import { addViolation } from './violations.ts';

export interface GraphqlExchange {
  /** What was sent: `query` and `variables`. */
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

const require = createRequire(import.meta.url);
/** Loaded when it is first needed: most tests ask GraphQL nothing, and what others asked was checked by them. */
const language = () => require('graphql') as typeof import('graphql');

type Fields = ReadonlyMap<string, readonly FieldAsked[]>;

interface FieldAsked {
  readonly name: string;
  readonly selection: SelectionSetNode | undefined;
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);

/** What a value of each kind looks like on the wire. Kinds that are not named here are texts. */
const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => Number.isInteger(value) && Math.abs(value as number) <= 2 ** 31,
  Float: (value) => typeof value === 'number',
  DateTime: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/u.test(value),
  GitObjectID: (value) => typeof value === 'string' && /^[0-9a-f]{40}$/u.test(value),
  URI: (value) => typeof value === 'string' && URL.canParse(value),
};

/** Those that GitHub was seen to give; errors about the question itself have none. */
const errorTypes = [
  ...['NOT_FOUND', 'FORBIDDEN', 'UNPROCESSABLE', 'INSUFFICIENT_SCOPES', 'RATE_LIMITED', 'RATE_LIMIT'],
  ...['SERVICE_UNAVAILABLE', 'INTERNAL', 'STALE_DATA'],
];

class GraphqlBook {
  readonly #schema: GraphQLSchema;

  constructor() {
    const path = new URL('schema.graphql', import.meta.resolve('@octokit/graphql-schema'));
    this.#schema = language().buildSchema(readFileSync(path, 'utf8'), {
      assumeValid: true,
      noLocation: true,
    });
  }

  check({ body, status, answer }: GraphqlExchange): string[] {
    const { query, variables = {} } = isRecord(body) ? body : {};
    if (typeof query !== 'string' || !isRecord(variables)) return ['asked with a body that has no query'];
    // Whoever may not ask at all is told so as REST tells it.
    if (status === 401 || status === 403 || status === 429 || status >= 500) return [];
    const document = this.#read(query);
    if ('message' in document) return [`asked what cannot be read: ${document.message}`];
    const asked = [...this.#checkQuery(document), ...this.#checkVariables(document, variables)];
    if (asked.length > 0) return asked.map((one) => `asked wrongly: ${one}`);
    return new AnswerCheck(this.#schema, document).check(answer).map((one) => `answered: ${one}`);
  }

  #read(query: string): DocumentNode | GraphQLError {
    try {
      return language().parse(query);
    } catch (error) {
      if (error instanceof language().GraphQLError) return error;
      throw error;
    }
  }

  #checkQuery(document: DocumentNode): string[] {
    const options = { maxErrors: 10 };
    return language()
      .validate(this.#schema, document, undefined, options)
      .map(({ message }) => message);
  }

  #checkVariables(document: DocumentNode, variables: Readonly<Record<string, unknown>>): string[] {
    const definitions = operationOf(document).variableDefinitions ?? [];
    const known = definitions.map(({ variable }) => variable.name.value);
    const unknown = Object.keys(variables).filter((name) => !known.includes(name));
    const { errors = [] } = language().getVariableValues(this.#schema, definitions, variables);
    return [
      ...unknown.map((name) => `"$${name}" is sent and not declared`),
      ...errors.map(({ message }) => message),
    ];
  }
}

function operationOf({ definitions }: DocumentNode): OperationDefinitionNode {
  const found = definitions.filter(({ kind }) => kind === language().Kind.OPERATION_DEFINITION);
  if (found.length !== 1) throw new Error('One operation at a time.');
  return found[0] as OperationDefinitionNode;
}

/** Whether an answer is what the selection asks for, of the types that the schema says. */
class AnswerCheck {
  readonly #schema: GraphQLSchema;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    this.#operation = operationOf(document);
    this.#fragments = new Map(
      document.definitions.flatMap((one) =>
        one.kind === language().Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
      ),
    );
  }

  check(answer: unknown): string[] {
    if (!isRecord(answer)) return [`it is no object: ${show(answer)}`];
    const { data, errors, ...others } = answer;
    const unknown = Object.keys(others).filter((key) => key !== 'extensions');
    const root = this.#schema.getRootType(this.#operation.operation);
    const wrong = [...unknown.map((key) => `it has "${key}"`), ...this.#checkErrors(data, errors)];
    if (data === undefined || root == null) return errors === undefined ? [...wrong, 'it is empty'] : wrong;
    if (data !== null)
      return [...wrong, ...this.#checkObject(root.name, this.#operation.selectionSet, data, '')];
    // Only what must not be null can make all of it null.
    const fields = [...this.#collect(root.name, this.#operation.selectionSet).values()].flat();
    const types = fields.map(({ name }) => root.getFields()[name]?.type);
    return types.some(language().isNonNullType)
      ? wrong
      : [...wrong, 'all data is null, and no field of it has to be there'];
  }

  #checkErrors(data: unknown, errors: unknown): string[] {
    if (errors === undefined) return data == null ? ['there are neither data nor errors'] : [];
    if (!Array.isArray(errors) || errors.length === 0) return ['its errors are no list'];
    return errors.flatMap((error) => {
      if (!isRecord(error) || typeof error.message !== 'string')
        return [`an error says nothing: ${show(error)}`];
      const { type, path } = error;
      const typed =
        type === undefined || errorTypes.includes(String(type)) ? [] : [`error of type ${show(type)}`];
      if (path === undefined) return typed;
      if (!Array.isArray(path) || path.length === 0) return [...typed, `an error has the path ${show(path)}`];
      // The query or fields which the query names.
      const [first] = path;
      if (first === this.#operation.operation) return typed;
      return isNothing(data, path) ? typed : [...typed, `an error about ${show(path)}, which is there`];
    });
  }

  /** What is selected of a type; the same name may be asked for more than once. */
  #collect(type: string, { selections }: SelectionSetNode): Fields {
    const fields = new Map<string, FieldAsked[]>();
    const add = (key: string, asked: readonly FieldAsked[]) =>
      fields.set(key, [...(fields.get(key) ?? []), ...asked]);
    for (const selection of selections) {
      if (selection.kind === language().Kind.FIELD) {
        const { name, alias, selectionSet } = selection;
        add((alias ?? name).value, [{ name: name.value, selection: selectionSet }]);
        continue;
      }
      const fragment =
        selection.kind === language().Kind.INLINE_FRAGMENT
          ? selection
          : this.#fragments.get(selection.name.value);
      const on = fragment?.typeCondition?.name.value ?? type;
      if (fragment !== undefined && this.#fits(type, on))
        for (const [key, asked] of this.#collect(type, fragment.selectionSet)) add(key, asked);
    }
    return fields;
  }

  #fits(type: string, condition: string): boolean {
    if (type === condition) return true;
    const [own, wanted] = [this.#schema.getType(type), this.#schema.getType(condition)];
    return (
      language().isObjectType(own) && language().isAbstractType(wanted) && this.#schema.isSubType(wanted, own)
    );
  }

  #checkObject(type: string, selection: SelectionSetNode, value: unknown, at: string): string[] {
    if (!isRecord(value)) return [`${at} is no ${type}: ${show(value)}`];
    const definition = this.#schema.getType(type);
    const fields = this.#collect(type, selection);
    const extra = Object.keys(value).filter((key) => !fields.has(key));
    return [
      ...extra.map((key) => `${at}/${key} was not asked for`),
      ...[...fields].flatMap(([key, asked]) => {
        const [first] = asked;
        if (!Object.hasOwn(value, key)) return [`${at}/${key} is missing`];
        if (first?.name === '__typename')
          return value[key] === type ? [] : [`${at}/${key} is not ${type}: ${show(value[key])}`];
        const field = language().isObjectType(definition)
          ? definition.getFields()[first?.name ?? '']
          : undefined;
        const selections = asked.flatMap((one) => one.selection?.selections ?? []);
        const inner: SelectionSetNode = { kind: language().Kind.SELECTION_SET, selections };
        if (field === undefined) return [`${at}/${key} is nothing that a ${type} has`];
        return this.#checkValue(field.type, inner, value[key], `${at}/${key}`);
      }),
    ];
  }

  #checkValue(type: GraphQLOutputType, selection: SelectionSetNode, value: unknown, at: string): string[] {
    if (language().isNonNullType(type))
      return value == null ? [`${at} must not be null`] : this.#checkValue(type.ofType, selection, value, at);
    if (value === null) return [];
    if (language().isListType(type)) {
      if (!Array.isArray(value)) return [`${at} is no list: ${show(value)}`];
      return value.flatMap((one, index) => this.#checkValue(type.ofType, selection, one, `${at}/${index}`));
    }
    if (language().isScalarType(type)) {
      const isFit = scalars[type.name] ?? ((given: unknown) => typeof given === 'string');
      return isFit(value) ? [] : [`${at} is no ${type.name}: ${show(value)}`];
    }
    if (language().isEnumType(type))
      return type.getValues().some(({ name }) => name === value)
        ? []
        : [`${at} is no ${type.name}: ${show(value)}`];
    const named = language().getNamedType(type);
    if (!language().isAbstractType(named)) return this.#checkObject(named.name, selection, value, at);
    const possible = this.#schema.getPossibleTypes(named).map(({ name }) => name);
    const told = isRecord(value) ? value.__typename : undefined;
    if (told !== undefined && !possible.includes(String(told)))
      return [`${at} is no ${named.name}: ${show(told)}`];
    const tries = (told === undefined ? possible : [String(told)]).map((name) =>
      this.#checkObject(name, selection, value, at),
    );
    return tries.toSorted((a, b) => a.length - b.length)[0] ?? [`${at} can be nothing`];
  }
}

/** Whether there is nothing where a path leads. */
function isNothing(data: unknown, path: readonly unknown[]): boolean {
  let here: unknown = data;
  for (const step of path) {
    if (here == null) return true;
    here = (here as Readonly<Record<string, unknown>>)[String(step)];
  }
  return here == null;
}

let book: GraphqlBook | null = null;

export function checkGraphql(exchange: GraphqlExchange): void {
  const { body, status, answer } = exchange;
  const { query = '' } = isRecord(body) ? body : {};
  const wrong = checkShape(`POST /graphql ${status} ${String(query)}`, { body, answer }, () => {
    book ??= new GraphqlBook();
    return book.check(exchange);
  });
  const [name] = /(?<=\{\s*)\w+/u.exec(String(query)) ?? [''];
  for (const text of wrong) addViolation(`GraphQL ${name}: ${text}`);
}
