/** Lists of the small GitHub come in pages. */
import type { Answer } from './github-answer.ts';
import type { GithubState } from './github-state.ts';

export function cutPage(
  url: URL,
  { list = [], listName, headers }: Answer,
  most: number,
  state: GithubState,
): Answer {
  const size = Math.min(Number(url.searchParams.get('per_page') ?? 30), most);
  const page = Number(url.searchParams.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(list.length / size));
  const link = (to: number, rel: string): string => {
    const target = new URL(url);
    // Further pages are named by the repository's number.
    const [, owner, name] = /\/repos\/([^/]+)\/([^/]+)(?=\/)/u.exec(url.pathname) ?? [];
    const id = state.repositories.get(`${owner}/${name}`)?.id;
    target.pathname = url.pathname.replace(/\/repos\/[^/]+\/[^/]+(?=\/)/u, `/repositories/${id}`);
    target.searchParams.set('page', String(to));
    return `<${target.href}>; rel="${rel}"`;
  };
  const part = list.slice((page - 1) * size, page * size);
  return {
    status: 200,
    data: listName === undefined ? part : { total_count: list.length, [listName]: part },
    headers: {
      ...headers,
      ...(page < last ? { link: `${link(page + 1, 'next')}, ${link(last, 'last')}` } : {}),
    },
  };
}
