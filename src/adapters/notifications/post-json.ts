/** Posts JSON to an address of the settings, within limits of time and size, and to no other address. */
import type { Fetch } from '../network/network-fetch.ts';
import { explainChannel, failed, refused } from './channel-errors.ts';

const longestMilliseconds = 10_000;
const mostAnswer = 2_048;

/** They say that the same message will be refused again; whatever else fails may pass. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 405, 410, 413, 415, 422]);

interface Posted {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/** The beginning of an answer; the rest is not read. */
async function readStart(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < mostAnswer) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value as Uint8Array, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return text.slice(0, mostAnswer);
}

/** Resolves when it was taken. @param codeIn the name of a fault in an answer, where one is known */
export async function postJson(
  send: Fetch,
  channel: string,
  { url, body, headers, signal }: Posted,
  codeIn: (answer: string) => string = () => '',
): Promise<{ readonly status: number }> {
  const limit = AbortSignal.timeout(longestMilliseconds);
  try {
    const answer = await send(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Gatewright', ...headers },
      // A redirect could lead a secret or a message elsewhere.
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    const { status } = answer;
    if (status >= 200 && status < 300) {
      // It was taken, whatever becomes of the rest of the answer.
      await answer.body?.cancel().catch(() => undefined);
      return { status };
    }
    if (status >= 300 && status < 400)
      throw refused(channel, `it redirects (HTTP ${status})`, 'Set the address that it redirects to.');
    const code = codeIn(await readStart(answer));
    const why = `HTTP ${status}${code === '' ? '' : ` (${code})`}`;
    throw refusals.has(status) ? refused(channel, why) : failed(channel, why);
  } catch (error) {
    throw explainChannel(channel, error);
  }
}
