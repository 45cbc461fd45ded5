/** Which models to propose on a machine, by what was found there, and how a person is told. */
import { keyVariables, type Provider } from './credential.ts';
import { modelFamily } from './model-family.ts';

/** Of the Claude Code CLI. `unknown`: it is there and does not say, as older versions do. */
export type ClaudeLogin = 'ready' | 'logged-out' | 'unknown' | 'missing';

export interface ModelsFound {
  readonly claude: ClaudeLogin;
  /** Providers that there is a key for. */
  readonly providers: readonly Provider[];
}

const byProvider: Readonly<Record<Provider, string>> = {
  google: 'google:gemini-2.5-pro',
  anthropic: 'anthropic:claude-sonnet-4-5',
  openai: 'openai:gpt-5',
};

/** Everything that could be used, the CLI first: it needs no key. A CLI without a login cannot be used. */
export function listUsable(found: ModelsFound): string[] {
  const order: readonly Provider[] = ['anthropic', 'google', 'openai'];
  return [
    ...(found.claude === 'ready' ? ['claude:default'] : []),
    ...order.filter((provider) => found.providers.includes(provider)).map((provider) => byProvider[provider]),
  ];
}

const claudeWords: Readonly<Record<ClaudeLogin, string | null>> = {
  ready: 'the Claude Code CLI, with a login or a key',
  'logged-out': 'the Claude Code CLI without a login, so it is not chosen; log in with: claude auth login',
  unknown:
    'the Claude Code CLI, which does not say whether it is logged in, so it is not chosen; choose it with --drafter claude:default',
  missing: null,
};

/** What was found, a line each; and what is missing for the models that the documents recommend. */
export function describeFound(found: ModelsFound): string[] {
  const { providers } = found;
  const claude = claudeWords[found.claude];
  return [
    ...(claude === null ? [] : [claude]),
    ...providers.map((provider) => `a key for ${byProvider[provider]}`),
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

/**
 * A reviewer of another family than the drafter, Gemini first. The CLI drafts and does not review drafts, so the
 * checklist reviews when nothing else is there.
 */
export function proposeReviewer(drafter: string, usable: readonly string[]): string {
  const family = familyOf(drafter);
  const fit = usable.filter((model) => !model.startsWith('claude:') && familyOf(model) !== family);
  return fit.find((model) => model.startsWith('google:')) ?? fit[0] ?? 'builtin:checklist';
}

/** How to get what would be better than the choice; null when the choice is two models. */
export function adviseOnChoice(drafter: string, reviewer: string): string | null {
  const [gemini] = keyVariables.google;
  const later = 'then run: gatewright init --drafter claude:default --reviewer google:gemini-2.5-pro';
  if (drafter.startsWith('builtin:') && reviewer.startsWith('builtin:'))
    return `For models, log in with "claude auth login" (drafter) and set ${gemini} (reviewer), ${later}`;
  if (!reviewer.startsWith('builtin:')) return null;
  return familyOf(drafter) === 'gemini'
    ? 'For a model as reviewer, set ANTHROPIC_API_KEY, then run: gatewright init --reviewer anthropic:claude-sonnet-4-5'
    : `For a model as reviewer, set ${gemini}, then run: gatewright init --reviewer google:gemini-2.5-pro`;
}
