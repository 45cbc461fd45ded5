/** Why a channel did not take a message. Addresses, secrets and words of the other side are in none of it. */
import { GatewrightError, isGatewrightError } from '../../errors.ts';
import { connectionProblem } from '../network/explain-connection.ts';

export function failed(channel: string, why: string, hint?: string): GatewrightError {
  return new GatewrightError(
    'notification-failed',
    `The channel "${channel}" did not take it: ${why}.`,
    hint === undefined || hint === '' ? {} : { hint },
  );
}

export function refused(channel: string, why: string, hint?: string): GatewrightError {
  return new GatewrightError(
    'notification-refused',
    `The channel "${channel}" refuses it: ${why}.`,
    hint === undefined || hint === '' ? {} : { hint },
  );
}

/** What went wrong on the way. */
export function explainChannel(channel: string, error: unknown): GatewrightError {
  if (isGatewrightError(error, 'notification-failed', 'notification-refused')) return error;
  // Of a proxy: its message names the proxy, and never its login.
  if (error instanceof GatewrightError) return failed(channel, error.message.replace(/\.$/u, ''), error.hint);
  const { what, hint } = connectionProblem(error);
  return failed(channel, what, hint);
}
