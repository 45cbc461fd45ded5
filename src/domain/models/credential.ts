/** Keys of model providers. A key is a secret: it goes to its provider and nowhere else. */
import { sha256 } from '../ledger/hash.ts';

export const providers = ['google', 'anthropic', 'openai'] as const;

export type Provider = (typeof providers)[number];

export interface Credential {
  /** How people and messages speak of it, since the key itself is never shown. */
  readonly name: string;
  readonly provider: Provider;
  readonly key: string;
}

/** The environment variables that hold a provider's key; messages to people name the first. */
export const keyVariables: Readonly<Record<Provider, readonly [string, ...string[]]>> = {
  google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
};

/** The environment variable that names another server for a provider. */
export const addressVariables: Readonly<Record<Provider, string>> = {
  google: 'GOOGLE_GEMINI_BASE_URL',
  anthropic: 'ANTHROPIC_BASE_URL',
  openai: 'OPENAI_BASE_URL',
};

/** What a limit is kept under. It changes with the secret: a new key under an old name is not out of quota. */
export function limitName(name: string, secret: string): string {
  return secret === '' ? name : `${name} ${sha256(`credential\n${secret}`).slice(0, 12)}`;
}

/** A text without the secrets: some providers repeat a rejected key in their message. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
}
