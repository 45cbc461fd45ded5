/** Puts the layers of settings together: default, user's file, repository's file, environment, options. */
import { findRule, type SettingRule } from './setting-rules.ts';

/** A label as a configuration file describes it. */
export interface LabelSetting {
  readonly name: string;
  readonly colour?: string | undefined;
  readonly description?: string | undefined;
}

/** What a person set for one model, in USD for a million tokens. */
interface PriceSetting {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

export type PriceSettings = Readonly<Record<string, PriceSetting>>;

export type SettingValue = string | number | readonly string[] | readonly LabelSetting[] | PriceSettings;

export interface Given {
  readonly value: SettingValue;
  /** What to point at: a variable, an option, or a file with its line. */
  readonly where: string;
}

/** What one source sets, by key. */
export type Layer = ReadonlyMap<string, Given>;

export interface Layers {
  readonly userFile: Layer;
  readonly repositoryFile: Layer;
  readonly environment: Layer;
  readonly options: Layer;
}

type Source = 'default' | 'user file' | 'repository file' | 'environment' | 'option';

export interface Resolved {
  readonly value: SettingValue | null;
  readonly from: Source;
  readonly where: string;
}

export const noLayer: Layer = new Map();

/** `models.reviewer` speaks for `models.lld.reviewer` too, where that is not set. */
function generalKey(key: string): string | null {
  const role = /^models\.[^.]+\.([^.]+)$/u.exec(key)?.[1];
  return role === undefined ? null : `models.${role}`;
}

function lookUp(layer: Layer, key: string): Given | undefined {
  const general = generalKey(key);
  return layer.get(key) ?? (general === null ? undefined : layer.get(general));
}

/** What the user set: in the user's file, in the environment or on the command line. */
export function findOwn(layers: Layers, key: string): Given | undefined {
  return lookUp(layers.options, key) ?? lookUp(layers.environment, key) ?? lookUp(layers.userFile, key);
}

function fallbackOf(key: string): Resolved {
  const general = generalKey(key);
  const value = findRule(key)?.fallback ?? (general === null ? null : findRule(general)?.fallback) ?? null;
  return { value, from: 'default', where: '' };
}

function listOf({ value }: Resolved): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export function resolveSetting(layers: Layers, { key, repository, strictness }: SettingRule): Resolved {
  const given = (layer: Layer, from: Source): Resolved | null => {
    const found = lookUp(layer, key);
    return found === undefined ? null : { ...found, from };
  };
  const now = given(layers.options, 'option') ?? given(layers.environment, 'environment');
  const own = now ?? given(layers.userFile, 'user file') ?? fallbackOf(key);
  const wanted = given(layers.repositoryFile, 'repository file');
  if (wanted === null) return own;
  // A repository file may always add to such a list.
  if (repository === 'add') return { ...wanted, value: [...new Set([...listOf(own), ...listOf(wanted)])] };
  if (now !== null) return now;
  if (repository === 'leave-out') {
    const left = listOf(own).filter((one) => listOf(wanted).includes(one));
    return left.length === listOf(own).length ? own : { ...wanted, value: left };
  }
  if (repository === 'tighten') {
    const rank = ({ value }: Resolved): number => (strictness ?? []).indexOf(String(value));
    return rank(wanted) > rank(own) ? wanted : own;
  }
  return repository === 'lower' && Number(wanted.value) >= Number(own.value) ? own : wanted;
}
