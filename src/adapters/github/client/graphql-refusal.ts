/** What GraphQL did not do. It answers 200 all the same; the type of the error says why. */
interface GraphqlError {
  readonly type?: string | undefined;
  readonly message: string;
}

/** GitHub uses both spellings; a secondary limit is named in the message only. */
export function isRateLimited(errors: readonly GraphqlError[]): boolean {
  return errors.some(
    ({ type = '', message }) =>
      type === 'RATE_LIMITED' || type === 'RATE_LIMIT' || /\bsecondary rate limit\b/iu.test(message),
  );
}

export class GraphqlRefusal extends Error {
  readonly status: number;
  readonly response: {
    readonly headers: Record<string, string>;
    readonly data: { readonly message: string };
  };

  /** @param retryAfter in seconds, when a limit is the reason */
  constructor(errors: readonly GraphqlError[], retryAfter: number | null = null) {
    super('GraphQL refused');
    const types = errors.map((error) => error.type ?? '');
    const has = (...wanted: string[]) => wanted.some((type) => types.includes(type));
    // As REST would have answered, so that there is one way to explain it.
    if (retryAfter !== null) this.status = 429;
    else if (has('NOT_FOUND')) this.status = 404;
    else if (has('FORBIDDEN', 'INSUFFICIENT_SCOPES')) this.status = 403;
    else if (has('SERVICE_UNAVAILABLE', 'INTERNAL')) this.status = 503;
    else this.status = 422;
    this.response = {
      headers: retryAfter === null ? {} : { 'retry-after': String(retryAfter) },
      data: { message: errors.map((error) => error.message).join('; ') },
    };
  }
}
