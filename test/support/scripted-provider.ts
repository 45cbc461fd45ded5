/**
 * A provider of models on loopback that says what a test tells it to, in the wire formats of Google, Anthropic and
 * OpenAI. The real SDKs and the real Claude Code CLI talk to it; nothing leaves the machine.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from '../../src/domain/models/credential.ts';

export interface SeenRequest {
  readonly provider: Provider;
  /** The key that it came with. */
  readonly key: string;
  readonly model: string;
  /** The whole body, as it was sent. */
  readonly text: string;
  readonly isStream: boolean;
}

export type Reply =
  | 'silence'
  /** The connection breaks: before the first byte of an answer, or in the middle of it. */
  | 'reset'
  | 'cut'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
    };

type Script = (seen: SeenRequest, index: number) => Reply;

const usage = { input: 1000, output: 200 };

/** A full answer of the provider that was asked; objects are sent as JSON text, as structured output is. */
export function answerWith(seen: SeenRequest, content: string | object, model = seen.model): Reply {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const bodies: Readonly<Record<Provider, () => object>> = {
    google: () => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
      modelVersion: model,
    }),
    anthropic: () => {
      // Models without native structured output are asked to call a tool that takes the object.
      const isTool = typeof content !== 'string' && seen.text.includes('"tool_choice"');
      return {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model,
        content: isTool
          ? [{ type: 'tool_use', id: 't1', name: 'json', input: content }]
          : [{ type: 'text', text }],
        stop_reason: isTool ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: usage.input, output_tokens: usage.output },
      };
    },
    openai: () => ({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
      },
    }),
  };
  return seen.isStream
    ? streamOf([{ type: 'text', text }], model)
    : { body: JSON.stringify(bodies[seen.provider]()) };
}

export interface ToolUse {
  readonly name: string;
  readonly input: object;
}

/** An answer that says something and uses a tool, as the Claude Code CLI gets it. */
export function useTool(seen: SeenRequest, { name, input }: ToolUse, text = `Using ${name}.`): Reply {
  return streamOf(
    [
      { type: 'text', text },
      { type: 'tool_use', name, input },
    ],
    seen.model,
    'tool_use',
  );
}

/** An answer that the provider's own safeguards cut short. */
export function refuseToAnswer(seen: SeenRequest): Reply {
  return streamOf([{ type: 'text', text: 'I cannot' }], seen.model, 'refusal');
}

type Block = { readonly type: 'text'; readonly text: string } | ({ readonly type: 'tool_use' } & ToolUse);

let blocksSent = 0;

function eventsOf(block: Block, index: number): object[] {
  blocksSent += 1;
  const [content_block, delta] =
    block.type === 'text'
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: block.text },
        ]
      : [
          { type: 'tool_use', id: `toolu_${blocksSent}`, name: block.name, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        ];
  return [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
}

/** Anthropic's event stream, which the Claude Code CLI asks for. */
function streamOf(blocks: readonly Block[], model: string, stop_reason = 'end_turn'): Reply {
  const events: readonly object[] = [
    {
      type: 'message_start',
      message: {
        ...{ id: `msg_${blocksSent}`, type: 'message', role: 'assistant', model, content: [] },
        ...{ stop_reason: null, stop_sequence: null },
        usage: { input_tokens: usage.input, output_tokens: 1 },
      },
    },
    ...blocks.flatMap(eventsOf),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: usage.output },
    },
    { type: 'message_stop' },
  ];
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: events
      .map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
  };
}

/** A refusal with a status, as all three send it. */
export function refuseWith(status: number, headers: Readonly<Record<string, string>> = {}, more = {}): Reply {
  return {
    status,
    headers,
    body: JSON.stringify({
      type: 'error',
      error: { type: 'scripted', code: status, message: 'scripted refusal', status: 'SCRIPTED', ...more },
    }),
  };
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

function look(request: IncomingMessage, text: string): SeenRequest | null {
  const path = request.url ?? '';
  const google = /^\/v1beta\/models\/([^:]+):generateContent/u.exec(path)?.[1];
  if (google !== undefined) {
    return {
      provider: 'google',
      key: headerOf(request, 'x-goog-api-key'),
      model: google,
      text,
      isStream: false,
    };
  }
  const isAnthropic = /^\/v1\/messages(?:\?|$)/u.test(path);
  if (request.method !== 'POST' || (!isAnthropic && !path.startsWith('/v1/chat/completions'))) return null;
  const body = JSON.parse(text) as { model: string; stream?: boolean };
  const bearer = headerOf(request, 'authorization').replace(/^Bearer /u, '');
  return {
    provider: isAnthropic ? 'anthropic' : 'openai',
    key: isAnthropic ? headerOf(request, 'x-api-key') || bearer : bearer,
    model: body.model,
    text,
    isStream: body.stream === true,
  };
}

export class ScriptedProvider {
  readonly seen: SeenRequest[] = [];
  script: Script = (seen) => answerWith(seen, 'Hello.');
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let text = '';
      request
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .on('end', () => this.#reply(look(request, text), response));
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Takes a request that came in elsewhere, such as on a server with TLS. */
  take(request: IncomingMessage, response: ServerResponse): void {
    this.#server.emit('request', request, response);
  }

  /** What makes the built program and the CLI talk to it. */
  get environment(): Record<string, string> {
    return {
      GOOGLE_GEMINI_BASE_URL: this.url,
      ANTHROPIC_BASE_URL: this.url,
      OPENAI_BASE_URL: `${this.url}/v1`,
    };
  }

  #reply(seen: SeenRequest | null, response: ServerResponse): void {
    if (seen === null) {
      response.writeHead(404).end('{}');
      return;
    }
    this.seen.push(seen);
    const reply = this.script(seen, this.seen.length - 1);
    if (reply === 'silence') return;
    if (reply === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"', () => response.socket?.resetAndDestroy());
      return;
    }
    if (reply === 'reset') {
      response.socket?.resetAndDestroy();
      return;
    }
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
