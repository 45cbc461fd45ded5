/** How people are told where the address of the API is set. */
export const githubApiSetting = 'forge.apiUrl or GATEWRIGHT_GITHUB_URL';

/** Where people and git find what the API is about: another host than that of the API on GitHub's own servers. */
export function webBaseOf(apiUrl: string): string {
  const url = new URL(apiUrl);
  if (url.hostname === 'api.github.com' || /^api\.[^.]+\.ghe\.com$/u.test(url.hostname))
    url.hostname = url.hostname.replace(/^api\./u, '');
  return url.origin;
}
