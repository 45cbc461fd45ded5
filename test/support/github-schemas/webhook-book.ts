/** What GitHub sends to webhooks, as it describes it: one description for each event and action. */
import { checkShape } from './fitting-shapes.ts';
import { isRecord, type Json, SchemaBook } from './json-schema.ts';
import { readPublished } from './published-document.ts';
import { addViolation } from './violations.ts';

export interface Described {
  /** As in the header `x-github-event`. */
  readonly name: string;
  /** Empty for events that have none. */
  readonly action: string;
  readonly schema: Json;
}

class WebhookBook {
  readonly components: Readonly<Record<string, Json>>;
  readonly #schemas: SchemaBook;
  readonly #described = new Map<string, Described>();

  constructor() {
    const { components, webhooks } = readPublished('openapi-webhooks') as Record<
      string,
      Record<string, Json>
    >;
    this.components = (components?.schemas ?? {}) as Record<string, Json>;
    this.#schemas = new SchemaBook(components ?? {});
    for (const item of Object.values(webhooks ?? {})) {
      const { post } = item as unknown as { post: { operationId: string; requestBody: Json } };
      const [group = '', action = ''] = post.operationId.split('/');
      const name = group.replaceAll('-', '_');
      const { content } = post.requestBody as unknown as { content: Record<string, { schema: Json }> };
      const schema = content['application/json']?.schema ?? true;
      // Those of a single kind repeat their name.
      const said = action === group ? '' : action.replaceAll('-', '_');
      this.#described.set(`${name} ${said}`, { name, action: said, schema });
    }
  }

  get all(): Described[] {
    return [...this.#described.values()];
  }

  check(name: string, payload: unknown): string[] {
    const action = isRecord(payload) && typeof payload.action === 'string' ? payload.action : '';
    const found = this.#described.get(`${name} ${action}`) ?? this.#described.get(`${name} `);
    if (found === undefined) return [`webhook ${name}.${action} is nothing that GitHub sends.`];
    const wrong = this.#schemas.check(`${name}.${action}`, found.schema, payload);
    return wrong.map((one) => `webhook ${name}.${action}: ${one}`);
  }
}

let book: WebhookBook | null = null;

export function webhookBook(): WebhookBook {
  book ??= new WebhookBook();
  return book;
}

/** Of deliveries that GitHub could send: those that tests forge are wrong on purpose. */
export function checkDelivery(name: string, payload: unknown): void {
  // As it goes over the wire: what is undefined is not sent.
  const sent: unknown = JSON.parse(JSON.stringify(payload));
  const wrong = checkShape(`webhook ${name}`, sent, () => webhookBook().check(name, sent));
  for (const text of wrong) addViolation(text);
}
