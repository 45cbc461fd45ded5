/** For every answer, whatever it is: nothing is framed or guessed at, and nothing runs and is kept but our own files. */
const safeHeaders: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const nowhere = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * What a page may do beyond that: load our files and ask our API. Scripts and styles are files, never text of the page,
 * and no script can make HTML from text: `innerHTML` and its like are refused by the browser itself.
 */
const ofPage = `${nowhere}; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`;

const dataPolicy = `${nowhere}; sandbox`;

type AnswerKind = 'data' | 'page' | 'asset';

/** Only `answerPage` answers with HTML, and only `answerAsset` below that address. */
function kindOf(response: Response, path: string): AnswerKind {
  if (response.headers.get('content-type')?.startsWith('text/html') === true) return 'page';
  return path.startsWith('/assets/') && response.ok ? 'asset' : 'data';
}

/** @param path that was asked for; left out where it was not looked at */
export function makeSafe(response: Response, path = ''): Response {
  const kind = kindOf(response, path);
  const own = {
    'content-security-policy': kind === 'page' ? ofPage : dataPolicy,
    'cache-control': kind === 'asset' ? 'private, max-age=31536000, immutable' : 'no-store',
  };
  for (const [name, value] of Object.entries({ ...safeHeaders, ...own })) response.headers.set(name, value);
  return response;
}
