/** Which models to propose on a machine, by what was found there. */
import type { Provider } from './credential.ts';
import { modelFamily } from './model-family.ts';

export interface ModelsFound {
  /** Whether the Claude Code CLI is there. */
  readonly hasClaude: boolean;
  /** Providers that there is a key for. */
  readonly providers: readonly Provider[];
}

const byProvider: Readonly<Record<Provider, string>> = {
  google: 'google:gemini-2.5-pro',
  anthropic: 'anthropic:claude-sonnet-4-5',
  openai: 'openai:gpt-5',
};

/** Everything that could be used, the CLI first: it needs no key. */
export function listUsable(found: ModelsFound): string[] {
  const order: readonly Provider[] = ['anthropic', 'google', 'openai'];
  return [
    ...(found.hasClaude ? ['claude:default'] : []),
    ...order.filter((provider) => found.providers.includes(provider)).map((provider) => byProvider[provider]),
  ];
}

export function proposeDrafter(usable: readonly string[]): string {
  return usable[0] ?? 'builtin:outline';
}

/** The family of a model as it is configured, `provider:model`; null for built-in rules, which are no models. */
export function familyOf(model: string): string | null {
  if (model.startsWith('builtin:')) return null;
  // The CLI runs Claude, no matter how the model is called.
  return model.startsWith('claude:') ? 'claude' : modelFamily(model.replace(/^[^:]*:/u, ''));
}

/** A reviewer of another family than the drafter; the CLI drafts and does not review drafts, so the checklist does when nothing else is there. */
export function proposeReviewer(drafter: string, usable: readonly string[]): string {
  const family = familyOf(drafter);
  const other = usable.find((model) => !model.startsWith('claude:') && familyOf(model) !== family);
  return other ?? 'builtin:checklist';
}
