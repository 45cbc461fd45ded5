/**
 * A route of the API: what it is for, what it takes and what it answers, as schemas. The description that is served is
 * made of these, so that it says what is really checked.
 */
import { z } from 'zod';
import { escapeForJson } from '../../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../../errors.ts';
import type { Session, Sessions } from '../access/sessions.ts';
import type { ApiTools } from '../api-tools.ts';
import type { LiveFeed } from '../live/live-feed.ts';

/** What belongs to the server itself. */
interface ServerState {
  readonly sessions: Sessions;
  readonly live: LiveFeed;
}

export interface RouteContext {
  readonly tools: ApiTools;
  readonly state: ServerState;
  readonly session: Session;
  readonly request: Request;
}

/** As it came: checked by the route. */
interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

export interface RouteDescription {
  readonly method: 'GET' | 'POST';
  /** With `:name` for what varies. */
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  /** Null where there is none. */
  readonly body: z.ZodType | null;
  readonly answer: z.ZodType;
  readonly mediaType: 'application/json' | 'application/jsonl' | 'text/event-stream';
}

export interface Route extends RouteDescription {
  readonly respond: (context: RouteContext, raw: RawInput) => Promise<Response>;
}

export const nothing = z.strictObject({});

interface Definition<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> {
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answer: A;
}

interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
}

function parse<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues
    .slice(0, 10)
    .map(({ path, message }) => `${[where, ...path.map(String)].join('.').slice(0, 100)}: ${message}`);
  throw new GatewrightError('request-invalid', `The ${where} of the request cannot be used.`, { details });
}

function describe<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  { path, name, about, params, query, body, answer }: Definition<P, Q, B, A>,
  mediaType: RouteDescription['mediaType'],
): RouteDescription {
  const method = body === undefined ? 'GET' : 'POST';
  const more = { params: params ?? nothing, query: query ?? nothing, body: body ?? null };
  return { method, path, name, about, ...more, answer, mediaType };
}

function read<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  { params, query, body }: { readonly params?: P; readonly query?: Q; readonly body?: B },
  raw: RawInput,
): Input<P, Q, B> {
  return {
    params: parse(params ?? nothing, raw.params, 'path') as z.output<P>,
    query: parse(query ?? nothing, raw.query, 'query') as z.output<Q>,
    body: (body === undefined ? undefined : parse(body, raw.body, 'body')) as z.output<B>,
  };
}

/** JSON that means the same wherever it is looked at: no character in it hides or moves others. */
export function writeJson(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) {
  const type = headers['content-type'] ?? 'application/json';
  return new Response(escapeForJson(JSON.stringify(value)), {
    status,
    headers: { ...headers, 'content-type': type },
  });
}

/** With a body it is a POST, else a GET. What leaves is checked too: it holds what was promised and nothing else. */
export function defineRoute<
  A extends z.ZodType,
  P extends z.ZodType = typeof nothing,
  Q extends z.ZodType = typeof nothing,
  B extends z.ZodType = z.ZodUndefined,
>(
  definition: Definition<P, Q, B, A> & {
    readonly handle: (context: RouteContext, input: Input<P, Q, B>) => Promise<NoInfer<z.input<A>>>;
    readonly headers?: (context: RouteContext) => Readonly<Record<string, string>>;
  },
): Route {
  const { answer, handle, headers } = definition;
  return {
    ...describe(definition, 'application/json'),
    respond: async (context, raw) => {
      const said = answer.parse(await handle(context, read(definition, raw)));
      return writeJson(said, 200, headers?.(context) ?? {});
    },
  };
}

/** One that answers with a stream. */
export function defineStream<A extends z.ZodType, Q extends z.ZodType = typeof nothing>(
  definition: Definition<typeof nothing, Q, z.ZodUndefined, A> & {
    readonly mediaType: 'application/jsonl' | 'text/event-stream';
    readonly open: (
      context: RouteContext,
      query: z.output<Q>,
    ) => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  },
): Route {
  const { mediaType, open } = definition;
  return {
    ...describe(definition, mediaType),
    respond: async (context, raw) =>
      new Response(await open(context, read(definition, raw).query), {
        headers: { 'content-type': `${mediaType}; charset=utf-8`, 'x-accel-buffering': 'no' },
      }),
  };
}
