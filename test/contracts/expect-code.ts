/** Errors are told apart by their code, in tests as in the program. */
import { expect } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';

/** Expects a call to fail with exactly this error of the catalogue. */
export async function expectCode(work: Promise<unknown>, code: ErrorCode): Promise<void> {
  await expect(work).rejects.toMatchObject({ name: 'GatewrightError', code });
}
