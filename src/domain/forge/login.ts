/** Which logins the local forge accepts. A program's login ends with `[bot]`, as on GitHub. */
export function isLogin(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,99}(?:\[bot\])?$/u.test(text);
}

export function isBotLogin(login: string): boolean {
  return login.endsWith('[bot]');
}
