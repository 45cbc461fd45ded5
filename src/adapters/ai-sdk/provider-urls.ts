/** The addresses of the providers, unless the configuration names others. */
import type { Provider } from '../../domain/models/credential.ts';

export const providerUrls: Readonly<Record<Provider, string>> = {
  google: 'https://generativelanguage.googleapis.com/v1beta',
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
};
