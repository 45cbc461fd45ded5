/** Errors are told apart by their code, in tests as in the program. */
import { expect } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';

/** Expects a call to fail with exactly this error of the catalogue; `about` names the case where one test has several. */
export async function expectCode(work: Promise<unknown>, code: ErrorCode, about?: string): Promise<void> {
  await expect(work, about).rejects.toMatchObject({ name: 'GatewrightError', code });
}
