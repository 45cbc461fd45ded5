/** The OpenAPI document: made of the schemas that every request and answer is checked with. */
import { z } from 'zod';
import type { RouteDescription } from './routes/route.ts';
import { problemSchema } from './schemas/problem.ts';

const inputOf = (schema: z.ZodType): object => withoutDialect(z.toJSONSchema(schema, { io: 'input' }));
const outputOf = (schema: z.ZodType): object =>
  withoutDialect(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }));

/** The document says once which dialect of JSON Schema it uses. */
function withoutDialect({ $schema: _, ...schema }: Readonly<Record<string, unknown>>): object {
  return schema;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query'): object[] {
  const { properties = {}, required = [] } = inputOf(schema) as ObjectSchema;
  return Object.entries(properties).map(([name, own]) => ({
    ...{ name, in: place, schema: own },
    required: place === 'path' || required.includes(name),
  }));
}

function describeRoute({ name, about, params, query, body, answer, mediaType }: RouteDescription): object {
  const failed = {
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
  return {
    operationId: name,
    summary: about,
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body === null
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': { schema: inputOf(body) } } },
          security: [{ session: [], csrf: [] }],
        }),
    responses: {
      '200': { description: about, content: { [mediaType]: { schema: outputOf(answer) } } },
      default: { description: 'It was refused, or failed.', ...failed },
    },
  };
}

export function describeApi(routes: readonly RouteDescription[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/gu, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Gatewright', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      schemas: { Problem: outputOf(problemSchema) },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'gatewright-PORT' },
        csrf: { type: 'apiKey', in: 'header', name: 'x-gatewright-csrf' },
      },
    },
    security: [{ session: [] }],
  };
}
