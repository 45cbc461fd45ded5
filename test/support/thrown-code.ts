/** The code of the error that some work throws or rejects with, so that tests compare codes and never messages. */
import { isGatewrightError } from '../../src/errors.ts';

function codeFrom(error: unknown): string {
  return isGatewrightError(error) ? error.code : String(error);
}

export function thrownCode(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return codeFrom(error);
  }
  return 'nothing thrown';
}

export async function rejectedCode(work: Promise<unknown>): Promise<string> {
  return work.then(() => 'nothing thrown', codeFrom);
}
