/** The text of a repository's configuration file, as `init` would have it. */
import { GatewrightError } from '../errors.ts';
import { configSchema } from './config-schema.ts';
import { unfitForRepository } from './judge-settings.ts';
import { parseJson } from './parse-json.ts';
import type { ForgeKind } from './read-config.ts';

/**
 * Where editors find the schema: a copy in the repository itself. It is there for everybody who has the repository,
 * with or without network, wherever Gatewright is installed, and it is the one of the version that wrote it.
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
function withSetting(content: Json, section: string, name: string, value: string | null): Json {
  if (value === null) return content;
  const before = (content[section] ?? {}) as Json;
  return { ...content, [section]: { ...before, [name]: value } };
}

/** Built-in rules are what is used when nothing is set, so they need not be written. */
function modelToWrite(role: 'drafter' | 'reviewer', model: string | null): string | null {
  if (model === null || model.startsWith('builtin:')) return null;
  const unfit = unfitForRepository(`models.${role}`, model);
  if (unfit === null) return model;
  throw new GatewrightError('usage', `The file of a repository may not choose ${unfit}.`, {
    hint: `Choose it in your own file, or when you run it: --${role} ${model}`,
  });
}

/** The text that the file should have; the existing one, to the letter, when nothing would change. */
export function proposeConfig(existing: string | null, wanted: WantedConfig): string {
  const before = existing === null ? null : (parseJson(existing).value as Json);
  let content: Json = before ?? { $schema: `./${schemaFile}` };
  content = withSetting(content, 'forge', 'kind', wanted.forge);
  content = withSetting(content, 'models', 'drafter', modelToWrite('drafter', wanted.drafter));
  content = withSetting(content, 'models', 'reviewer', modelToWrite('reviewer', wanted.reviewer));
  const checked = configSchema().safeParse(content);
  if (!checked.success)
    throw new GatewrightError('usage', 'That cannot be written into the configuration.', {
      details: checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
    });
  if (existing !== null && JSON.stringify(content) === JSON.stringify(before)) return existing;
  return `${JSON.stringify(content, null, 2)}\n`;
}
