/**
 * The code of a link that opens a session: signed with the key of the ledger, so that any command of the same person
 * can make one, and taken once. It dies with its use, after ten minutes, and with the server that it is for.
 */
import { randomBytes } from 'node:crypto';
import { isSignatureValid, signText } from '../../../../domain/ledger/hash.ts';
import { GatewrightError } from '../../../../errors.ts';
import { openPath } from './judge-request.ts';

const lifetime = 600_000;
/** Clocks of one machine can be set back a little. */
const tolerance = 5_000;

/** The address is signed too: a code for one server opens no other. */
const textOf = (port: number, issuedAt: string, nonce: string): string =>
  `gatewright link 1\n${port}\n${issuedAt}\n${nonce}`;

export function makeLinkCode(signingKey: string, port: number, now: Date): string {
  const [issuedAt, nonce] = [now.getTime().toString(36), randomBytes(16).toString('hex')];
  return `${issuedAt}-${nonce}-${signText(signingKey, textOf(port, issuedAt, nonce))}`;
}

export function makeLink(origin: string, code: string): string {
  return `${origin}${openPath}?code=${code}`;
}

export class LinkCodes {
  readonly #signingKey: string;
  readonly #port: number;
  readonly #startedAt: number;
  /** Those that were used, with the moment when they would have died. */
  readonly #used = new Map<string, number>();

  constructor(signingKey: string, port: number, startedAt: Date) {
    this.#signingKey = signingKey;
    this.#port = port;
    this.#startedAt = startedAt.getTime();
  }

  /** Throws when it opens nothing, for whatever reason: which one is nobody's business who has no valid code. */
  redeem(code: string, now: Date): void {
    for (const [used, until] of this.#used) if (until < now.getTime()) this.#used.delete(used);
    const [, issued, nonce = '', signature = ''] =
      /^([0-9a-z]{1,10})-([0-9a-f]{32})-([0-9a-f]{64})$/u.exec(code) ?? [];
    const at = Number.parseInt(issued ?? '', 36);
    const isSigned =
      issued !== undefined &&
      isSignatureValid(this.#signingKey, textOf(this.#port, issued, nonce), signature);
    const age = now.getTime() - at;
    const isLive = age >= -tolerance && age < lifetime && at >= this.#startedAt;
    if (!isSigned || !isLive || this.#used.has(nonce))
      throw new GatewrightError('link-spent', 'The link does not open a session any more.');
    this.#used.set(nonce, at + lifetime + tolerance);
  }
}
