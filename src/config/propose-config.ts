/** The text of a repository's configuration file, as `init` would have it. */
import type { ModelChoice } from '../domain/models/model-choice.ts';
import { areIndependent } from '../domain/models/model-family.ts';
import { familyOf } from '../domain/models/propose-models.ts';
import { GatewrightError } from '../errors.ts';
import { configSchema } from './config-schema.ts';
import { unfitForRepository } from './judge-settings.ts';
import { parseJson } from './parse-json.ts';
import type { ForgeKind } from './read-config.ts';

/**
 * Where editors find the schema: a copy in the repository itself. Every clone of the repository has it, with or without
 * network, wherever Gatewright is installed, and it is the one of the version that wrote it.
 */
export const schemaFile = '.gatewright/config.schema.json';

export interface WantedConfig {
  /** Null: leave it as it is. */
  readonly forge: ForgeKind | null;
  readonly drafter: string | null;
  readonly reviewer: string | null;
}

type Json = Record<string, unknown>;

/** A copy with one more or other setting; what is set already to the same is left where it stands. */
function withSetting(
  content: Json,
  section: string,
  name: string,
  value: string | readonly string[] | null,
): Json {
  if (value === null) return content;
  const before = (content[section] ?? {}) as Json;
  return { ...content, [section]: { ...before, [name]: value } };
}

/** A copy without one setting, and without its section if nothing else is in it. */
function withoutSetting(content: Json, section: string, name: string): Json {
  const { [section]: before, ...others } = content;
  const { [name]: _, ...rest } = (before ?? {}) as Json;
  return Object.keys(rest).length === 0 ? others : { ...content, [section]: rest };
}

/**
 * Why `init` may not write this model; null when it may. A built-in rule is what is used when nothing is set, so it is
 * not written.
 */
export function refuseModel(role: keyof ModelChoice, model: string, drafter: string): GatewrightError | null {
  const checked = configSchema().safeParse({ models: { [role]: model } });
  if (!checked.success) return cannotBeWritten(checked.error.issues);
  if (model.startsWith('builtin:')) return null;
  const unfit = unfitForRepository(`models.${role}`, model);
  if (unfit !== null)
    return new GatewrightError('usage', `The file of a repository may not choose ${unfit}.`, {
      hint: `Choose it in your own file, or when you run it: --${role} ${model}`,
    });
  if (role === 'drafter' || areIndependent({ family: familyOf(drafter) }, { family: familyOf(model) }))
    return null;
  return new GatewrightError(
    'models-not-independent',
    `${drafter} and ${model} are both of the family "${familyOf(model) ?? ''}".`,
    { hint: 'Choose a reviewer of another family; a configuration file cannot waive this.' },
  );
}

function cannotBeWritten(issues: readonly { path: readonly PropertyKey[]; message: string }[]) {
  return new GatewrightError('usage', 'That cannot be written into the configuration.', {
    details: issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    hint: 'Correct what is named above; see: gatewright init --help',
  });
}

function withModel(content: Json, role: keyof ModelChoice, model: string | null, drafter: string): Json {
  if (model === null) return content;
  const refused = refuseModel(role, model, drafter);
  if (refused !== null) throw refused;
  return model.startsWith('builtin:')
    ? withoutSetting(content, 'models', role)
    : withSetting(content, 'models', role, model);
}

/** The text that the file should have; the existing one, to the letter, when nothing would change. */
export function proposeConfig(existing: string | null, wanted: WantedConfig): string {
  const before = existing === null ? null : (parseJson(existing).value as Json);
  let content: Json = before ?? { $schema: `./${schemaFile}` };
  content = withSetting(content, 'forge', 'kind', wanted.forge);
  const { models } = content as { models?: Partial<ModelChoice> };
  const drafter = wanted.drafter ?? models?.drafter ?? 'builtin:outline';
  content = withModel(content, 'drafter', wanted.drafter, drafter);
  content = withModel(content, 'reviewer', wanted.reviewer, drafter);
  const checked = configSchema().safeParse(content);
  if (!checked.success) throw cannotBeWritten(checked.error.issues);
  if (existing !== null && JSON.stringify(content) === JSON.stringify(before)) return existing;
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** How copies of the repository are prepared and tested, as a person accepted or typed it. */
export interface WantedCommands {
  /** Null: leave it as it is. */
  readonly setup: WantedCommand | null;
  readonly setupHosts: readonly string[];
  readonly verify: WantedCommand | null;
}

/** `none`: a person wants no such command, so one that is there is taken out. */
export type WantedCommand = { readonly command: string } | 'none';

function withCommand(content: Json, name: 'setup' | 'verify', wanted: WantedCommand | null): Json {
  return wanted === 'none'
    ? withoutSetting(content, 'fleet', name)
    : withSetting(content, 'fleet', name, wanted?.command ?? null);
}

/** The user's settings for the repository with these commands. A file without any shows that a person wanted none. */
export function proposeLocalSettings(existing: string | null, wanted: WantedCommands): string {
  const before = existing === null ? {} : (parseJson(existing).value as Json);
  let content = withCommand(before, 'setup', wanted.setup);
  const hosts = wanted.setupHosts.length === 0 ? null : wanted.setupHosts;
  // What no command reaches is not asked about by `doctor` either.
  if (wanted.setup === 'none') content = withoutSetting(content, 'fleet', 'setupHosts');
  else content = withSetting(content, 'fleet', 'setupHosts', hosts);
  content = withCommand(content, 'verify', wanted.verify);
  const checked = configSchema().safeParse(content);
  if (!checked.success) throw cannotBeWritten(checked.error.issues);
  if (existing !== null && JSON.stringify(content) === JSON.stringify(before)) return existing;
  return `${JSON.stringify(content, null, 2)}\n`;
}
