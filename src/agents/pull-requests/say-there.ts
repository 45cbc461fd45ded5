/** How a person says something to the agent on an issue or pull request: a command where there is no page to write it on. */
import type { ExplainPlace } from '../agent.ts';

export function sayThere(
  {
    forge,
    settings,
    commandSuffix,
  }: Pick<ExplainPlace, 'settings' | 'commandSuffix'> & {
    readonly forge: Pick<ExplainPlace['forge'], 'kind'>;
  },
  number: number,
  words: string,
): string {
  const text = `@${settings.handle} ${words}`;
  return forge.kind === 'local'
    ? `gatewright forge issue comment ${number} --body '${text}'${commandSuffix}`
    : `comment there: ${text}`;
}
