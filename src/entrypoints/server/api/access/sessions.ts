/**
 * Who has opened a link: kept in memory by the hash of what the browser holds, so that a session ends with the server
 * and nothing that is kept opens one.
 */
import { randomBytes } from 'node:crypto';
import { isSignatureValid, type Sha256, sha256, signText } from '../../../../domain/ledger/hash.ts';

export interface Session {
  readonly id: Sha256;
  /** What a page of the server sends with every change; pages of other sites cannot read it. */
  readonly csrf: string;
  readonly openedAt: number;
  usedAt: number;
}

const hour = 3_600_000;
const idleLimit = 12 * hour;
const ageLimit = 7 * 24 * hour;
/** With more, the one that was not used for longest ends. */
const mostSessions = 50;

const makeToken = (): string => randomBytes(32).toString('base64url');

export class Sessions {
  readonly #cookie: string;
  readonly #open = new Map<Sha256, Session>();

  /** Browsers send cookies of a host to all its ports: the port in the name keeps two servers apart. */
  constructor(port: number) {
    this.#cookie = `gatewright-${port}`;
  }

  /** The cookie of a new session, for the answer that opens it. */
  begin(now: Date): { readonly session: Session; readonly setCookie: string } {
    this.#endOld(now);
    const token = makeToken();
    const at = now.getTime();
    const session = { id: sha256(token), csrf: makeToken(), openedAt: at, usedAt: at };
    const [oldest] = [...this.#open.values()].sort((a, b) => a.usedAt - b.usedAt);
    if (oldest !== undefined && this.#open.size >= mostSessions) this.#open.delete(oldest.id);
    this.#open.set(session.id, session);
    return { session, setCookie: this.#write(token, ageLimit / 1000) };
  }

  /** The session of a `cookie` header; null when there is none. */
  find(header: string | null, now: Date): Session | null {
    const named = (header ?? '').split(/; */u).flatMap((one) => {
      const [name, token] = one.split('=', 2);
      return name === this.#cookie && /^[\w-]{43}$/u.test(token ?? '') ? [token ?? ''] : [];
    });
    // Two of the same name: one of them was planted by another port of this host.
    const [token, another] = named;
    if (token === undefined || another !== undefined) return null;
    const session = this.#open.get(sha256(token));
    if (session === undefined || !this.#isLive(session, now)) return null;
    session.usedAt = now.getTime();
    return session;
  }

  /** Whether it is still open; does not count as a use. */
  isOpen({ id }: Session, now: Date): boolean {
    const session = this.#open.get(id);
    return session !== undefined && this.#isLive(session, now);
  }

  /** Ends it, and takes the cookie back. */
  end({ id }: Session): string {
    this.#open.delete(id);
    return this.#write('', 0);
  }

  /** When it ends at the latest if it is not used. */
  endOf({ openedAt, usedAt }: Session): Date {
    return new Date(Math.min(openedAt + ageLimit, usedAt + idleLimit));
  }

  #isLive(session: Session, now: Date): boolean {
    return now < this.endOf(session);
  }

  #endOld(now: Date): void {
    for (const session of this.#open.values()) if (!this.#isLive(session, now)) this.#open.delete(session.id);
  }

  /** Not `Secure`: the server speaks HTTP on loopback, where browsers would not keep it. */
  #write(token: string, seconds: number): string {
    return `${this.#cookie}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}`;
  }
}

/** Compares in constant time, whatever was sent. */
export function isCsrfToken({ id, csrf }: Session, sent: string | null): boolean {
  return sent !== null && isSignatureValid(id, csrf, signText(id, sent));
}
