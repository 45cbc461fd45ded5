/**
 * What git gets to see of the environment. Filters, signing programs and whatever else a repository's configuration
 * makes git start inherit it, so it holds what git needs for working here and nothing that is worth stealing.
 */

export type Environment = Readonly<Record<string, string | undefined>>;

const allowed: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TZ', 'LANG', 'LANGUAGE'],
  ...['TMPDIR', 'TMP', 'TEMP', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'NIX_SSL_CERT_FILE'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'],
  // Who commits, and which configuration says so.
  ...['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_AUTHOR_DATE', 'EMAIL'],
  ...['GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL', 'GIT_COMMITTER_DATE'],
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_ATTR_NOSYSTEM'],
  ...['GIT_EXEC_PATH', 'GIT_TEMPLATE_DIR', 'GIT_CEILING_DIRECTORIES', 'GIT_DISCOVERY_ACROSS_FILESYSTEM'],
  // Signing, and remotes over ssh.
  ...['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_SSH_VARIANT'],
  ...['GNUPGHOME', 'GPG_TTY', 'GPG_AGENT_INFO', 'DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['https_proxy', 'http_proxy', 'all_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'],
  // Windows cannot start programs without these.
  ...['SystemRoot', 'SYSTEMROOT', 'windir', 'ComSpec', 'PATHEXT', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH'],
  ...['APPDATA', 'LOCALAPPDATA', 'ProgramData', 'PROGRAMDATA', 'ProgramFiles'],
]);

/** Settings given one by one in the environment; those that carry passwords and headers of servers are left out. */
function pickSettings(environment: Environment): Record<string, string> {
  const count = Number(environment.GIT_CONFIG_COUNT ?? 0);
  const settings: [key: string, value: string][] = [];
  for (let index = 0; Number.isInteger(count) && index < Math.min(count, 1000); index += 1) {
    const key = environment[`GIT_CONFIG_KEY_${index}`];
    const value = environment[`GIT_CONFIG_VALUE_${index}`];
    if (key === undefined || value === undefined || /^(?:http|credential|url)\./iu.test(key)) continue;
    settings.push([key, value]);
  }
  if (settings.length === 0) return {};
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}

export function makeGitEnvironment(environment: Environment): Record<string, string | undefined> {
  const picked = Object.entries(environment).filter(([name]) => allowed.has(name) || /^LC_/u.test(name));
  return {
    ...Object.fromEntries(picked),
    ...pickSettings(environment),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
  };
}
