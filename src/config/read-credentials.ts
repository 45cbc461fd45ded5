/** Keys of model providers, from the environment and from a file for those who have several. Read only when a model is used. */
import { z } from 'zod';
import { type Credential, keyVariables, providers } from '../domain/models/credential.ts';
import { GatewrightError } from '../errors.ts';
import { readPrivateFile } from './read-private-file.ts';

const fileSchema = z.strictObject({
  credentials: z.array(
    z.strictObject({
      name: z.string().regex(/^[\w .@-]{1,60}$/u, 'letters, digits, spaces and _ . @ - only, at most 60'),
      provider: z.enum(providers),
      key: z.string().trim().min(1),
      enabled: z.boolean().default(true),
    }),
  ),
});

function refuse(file: string, why: string, hint: string, details: readonly string[] = []): never {
  throw new GatewrightError('config-invalid', `The credentials file ${file} ${why}.`, { hint, details });
}

function readFile(file: string): Credential[] {
  const text = readPrivateFile(file, 'The credentials file');
  if (text === null) return [];
  const hint = 'The format is described in docs/models.md.';
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The parser's message quotes the text, which holds keys.
    return refuse(file, 'is not JSON', hint);
  }
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success) {
    const details = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    return refuse(file, 'does not have the right form', hint, details);
  }
  return parsed.data.credentials
    .filter((one) => one.enabled)
    .map(({ name, provider, key }) => ({ name, provider, key }));
}

/** All usable keys in the order in which they are tried: the environment's first. A key that is there twice counts once. */
export function readCredentials(
  environment: Readonly<Record<string, string | undefined>>,
  file: string,
): Credential[] {
  const fromEnvironment = providers.flatMap((provider) =>
    keyVariables[provider].flatMap((name) => {
      const key = (environment[name] ?? '').trim();
      return key === '' ? [] : [{ name, provider, key }];
    }),
  );
  const all = [...fromEnvironment, ...readFile(file)];
  return all.filter(
    (one, index) =>
      all.findIndex(({ provider, key }) => provider === one.provider && key === one.key) === index,
  );
}
