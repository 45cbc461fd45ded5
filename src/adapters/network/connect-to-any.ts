/**
 * A connection to the first of several addresses that takes one (RFC 8305): the next address is tried when one fails, or
 * when it is silent for a moment, and the earlier ones are still listened to. Names are not looked up here, so that a
 * connection leads to an address that was checked and to no other.
 */
import { connect, isIPv6, type Socket } from 'node:net';

/** How long an address may be silent before the next one is tried beside it. */
const silentMilliseconds = 250;

/** The first stays the first; the families take turns, so that one that leads nowhere costs one pause. */
export function alternateFamilies(addresses: readonly string[]): string[] {
  const isFirstKind = isIPv6(addresses[0] ?? '');
  const first = addresses.filter((address) => isIPv6(address) === isFirstKind);
  const second = addresses.filter((address) => isIPv6(address) !== isFirstKind);
  return first
    .flatMap((address, index) => [address, ...second.slice(index, index + 1)])
    .concat(second.slice(first.length));
}

interface ConnectOptions {
  readonly milliseconds: number;
  /** Gives up. */
  readonly signal?: AbortSignal;
}

/** Rejects with what the last address that failed said, or with ETIMEDOUT. */
export function connectToAny(
  addresses: readonly string[],
  port: number,
  { milliseconds, signal }: ConnectOptions,
): Promise<Socket> {
  const waiting = alternateFamilies(addresses);
  const trying = new Set<Socket>();
  return new Promise((resolve, reject) => {
    let pause: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearTimeout(pause);
      clearTimeout(limit);
      signal?.removeEventListener('abort', giveUp);
      waiting.length = 0;
      for (const socket of trying) socket.destroy();
      trying.clear();
    };
    const fail = (error: unknown): void => {
      end();
      reject(error);
    };
    const giveUp = (): void => fail(signal?.reason);
    const limit = setTimeout(
      () => fail(Object.assign(new Error('the host does not answer'), { code: 'ETIMEDOUT' })),
      milliseconds,
    );
    const tryNext = (): void => {
      clearTimeout(pause);
      const socket = connect({ host: waiting.shift() ?? '', port });
      trying.add(socket);
      const failed = (error: Error): void => {
        trying.delete(socket);
        if (waiting.length > 0) tryNext();
        else if (trying.size === 0) fail(error);
      };
      socket.once('error', failed);
      socket.once('connect', () => {
        trying.delete(socket);
        socket.removeListener('error', failed);
        end();
        resolve(socket);
      });
      if (waiting.length > 0) pause = setTimeout(tryNext, silentMilliseconds);
    };
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted === true) giveUp();
    else if (waiting.length === 0) fail(new Error('there is no address to connect to'));
    else tryNext();
  });
}
