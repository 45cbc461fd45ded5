/** What makes a request a delivery of GitHub: the signature over its very bytes, its headers, and JSON in one of two wrappings. */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { identifyDelivery } from '../../../domain/fleet/delivery-id.ts';
import type { StoredDelivery } from '../../../ports/inbox.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Why a request is turned away. What it said is never repeated. */
export class Refusal extends Error {
  readonly status: number;
  /** Seconds after which it is worth trying again; null when it is not. */
  readonly retryAfter: number | null;

  constructor(status: number, reason: string, retryAfter: number | null = null) {
    super(reason);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface Delivery extends StoredDelivery {
  readonly payload: unknown;
}

export interface DeliveryHeaders {
  readonly name: string;
  readonly signature: Buffer;
  readonly isForm: boolean;
}

function textOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** Looked at before anything of the body is read. */
export function readDeliveryHeaders(headers: IncomingHttpHeaders): DeliveryHeaders {
  const [, signature] = /^sha256=([0-9a-f]{64})$/u.exec(textOf(headers, 'x-hub-signature-256')) ?? [];
  if (signature === undefined) throw new Refusal(401, 'signature missing');
  const name = textOf(headers, 'x-github-event');
  if (!/^[a-z][a-z0-9_]{0,63}$/u.test(name)) throw new Refusal(400, 'event missing');
  if (!/^[\w-]{1,100}$/u.test(textOf(headers, 'x-github-delivery')))
    throw new Refusal(400, 'delivery missing');
  const type = textOf(headers, 'content-type').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && type !== 'application/x-www-form-urlencoded')
    throw new Refusal(415, 'content type not known');
  return { name, signature: Buffer.from(signature, 'hex'), isForm: type !== 'application/json' };
}

/**
 * The JSON of a form, which has that one field and nothing else. The content type is not signed: a JSON delivery, in which
 * anybody's words stand, must not be read as a form with a field of their choice.
 */
function readForm(text: string): string {
  const [, field] = /^payload=([^&]*)$/u.exec(text) ?? [];
  if (field === undefined) throw new Error('not a form of GitHub');
  return decodeURIComponent(field.replaceAll('+', ' '));
}

export function readDelivery(body: Buffer, headers: DeliveryHeaders, secret: KeyObject): Delivery {
  const expected = createHmac('sha256', secret).update(body).digest();
  if (!timingSafeEqual(expected, headers.signature)) throw new Refusal(401, 'signature wrong');
  try {
    const text = utf8.decode(body);
    const unwrapped = headers.isForm ? readForm(text) : text;
    const json = headers.isForm ? Buffer.from(unwrapped) : body;
    return { name: headers.name, delivery: identifyDelivery(json), json, payload: JSON.parse(unwrapped) };
  } catch {
    throw new Refusal(400, 'payload not readable');
  }
}
