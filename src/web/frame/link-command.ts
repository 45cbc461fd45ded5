/** The command that shows a new link to this server. */
const usualPort = '8787';

/** @param port as it stands in the address: empty for 80 */
export function linkCommand(port: string): string {
  const command = 'gatewright serve --link';
  return port === usualPort ? command : `${command} --port ${port === '' ? '80' : port}`;
}
