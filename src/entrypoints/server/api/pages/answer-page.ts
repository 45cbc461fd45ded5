/** Answers at the addresses of pages. A page holds no data: that comes from the API, which looks at the session itself. */
import { GatewrightError } from '../../../../errors.ts';
import type { PageFiles } from './page-files.ts';

const html = 'text/html; charset=utf-8';

const notBuilt = `The pages are not built here.

In a checkout of Gatewright, build them with

    npm run build

and reload this page. The API answers without them: see /api/openapi.json.
`;

/** @param status of a page that is shown */
export async function answerPage(files: PageFiles, isSignedIn: boolean, status = 200): Promise<Response> {
  const page = await files.readPage(isSignedIn ? 'index' : 'signed-out');
  if (page === null)
    return new Response(notBuilt, { status: 503, headers: { 'content-type': 'text/plain; charset=utf-8' } });
  return new Response(page, { status: isSignedIn ? status : 401, headers: { 'content-type': html } });
}

export async function answerAsset(files: PageFiles, name: string): Promise<Response> {
  const found = await files.readAsset(name);
  if (found === null) throw new GatewrightError('route-unknown', 'There is nothing at this address.');
  return new Response(found.bytes, { headers: { 'content-type': found.type } });
}
