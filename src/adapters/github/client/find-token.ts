/** The token to act with: the one that was given, or that of a logged-in `gh`. It is never part of a message. */
import { execFile } from 'node:child_process';
import { ghVariables, withoutSecrets } from '../../../domain/machine/secret-variables.ts';
import { GatewrightError } from '../../../errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const hint = 'Set GITHUB_TOKEN (or GH_TOKEN) to a token that may write issues, or run: gh auth login';

/** The tokens of gh itself, and no secret that is meant for another program. */
function environmentOfGh(environment: Environment): Record<string, string | undefined> {
  const own = ghVariables.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  );
  return { ...withoutSecrets(environment), ...Object.fromEntries(own) };
}

/** What gh prints; empty when it is not there or not logged in. */
function askGh(host: string, environment: Environment): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      'gh',
      ['auth', 'token', '--hostname', host],
      { env: environmentOfGh(environment), timeout: 10_000 },
      (error, output) => resolve(error === null ? output.trim() : ''),
    );
  });
}

export async function findToken(given: string, host: string, environment: Environment): Promise<string> {
  const token = given.trim() || (await askGh(host, environment));
  if (token === '')
    throw new GatewrightError('forge-not-authenticated', `No token for ${host} was found.`, { hint });
  // Checked here, because the error about a header that cannot be sent would show it.
  if (!/^[\x21-\x7e]+$/u.test(token))
    throw new GatewrightError(
      'forge-not-authenticated',
      `The token for ${host} holds characters that no token has.`,
      { hint },
    );
  return token;
}
