/** When a provider that refused for quota will answer again. Each says it in its own way, some not at all. */
import { z } from 'zod';

type Headers = Readonly<Record<string, string>>;

/** Assumed when the provider does not say: most limits count by the minute. */
const unknownWait = 60_000;
/** Longer than any quota's period; whatever lies beyond was misread. */
const longestWait = 7 * 24 * 3_600_000;

const errorDetails = z.object({
  error: z.object({
    details: z.array(z.object({ retryDelay: z.string().optional(), reason: z.string().optional() })),
  }),
});

function readDetails(body: string): z.infer<typeof errorDetails>['error']['details'] {
  try {
    return errorDetails.safeParse(JSON.parse(body)).data?.error.details ?? [];
  } catch {
    return [];
  }
}

/** `34s`, `1.5s`, `6m0s`, `120ms` in milliseconds. */
function readDuration(text: string): number | null {
  const match = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/u.exec(text.trim());
  if (match === null || text.trim() === '') return null;
  const [, hours = '0', minutes = '0', seconds = '0', milliseconds = '0'] = match;
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(milliseconds);
}

/** `retry-after` in milliseconds from now: seconds or a date. */
export function readRetryAfter(headers: Headers, now: Date): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/** The latest reset among the limits that are used up (Anthropic, OpenAI). */
function readUsedUpLimits(headers: Headers, now: Date): number | null {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    const anthropic = /^anthropic-ratelimit-(.+)-remaining$/u.exec(name)?.[1];
    const openai = /^x-ratelimit-remaining-(.+)$/u.exec(name)?.[1];
    if (Number(value) !== 0 || value.trim() === '') return [];
    if (anthropic !== undefined) {
      const date = Date.parse(headers[`anthropic-ratelimit-${anthropic}-reset`] ?? '');
      return Number.isNaN(date) ? [] : [date - now.getTime()];
    }
    const wait = openai === undefined ? null : readDuration(headers[`x-ratelimit-reset-${openai}`] ?? '');
    return wait === null ? [] : [wait];
  });
  return waits.length === 0 ? null : Math.max(0, ...waits);
}

export function readResetTime(headers: Headers, body: string, now: Date): Date {
  const delays = readDetails(body).flatMap(({ retryDelay }) =>
    retryDelay === undefined ? [] : (readDuration(retryDelay) ?? []),
  );
  const wait =
    readRetryAfter(headers, now) ??
    readUsedUpLimits(headers, now) ??
    (delays.length === 0 ? null : Math.max(...delays)) ??
    unknownWait;
  return new Date(now.getTime() + Math.min(wait, longestWait));
}

/** Google answers a wrong key with 400; only this field tells it from a bad request. */
export function isInvalidKey(body: string): boolean {
  return readDetails(body).some(({ reason }) => reason === 'API_KEY_INVALID');
}
