/** Applies the table of who may set what to a file. Each refusal says how to do it rightly. */
import { isKnownFamily } from '../domain/models/model-family.ts';
import { findOwn, type Layers } from './resolve-settings.ts';
import type { SettingRule } from './setting-rules.ts';

/** The ways that are open to a person, for a message. */
export function waysToSet(rule: SettingRule, userFile: string): string {
  const ways = [
    ...(rule.userFile ? [`in ${userFile}`] : []),
    ...(rule.variables[0] === undefined ? [] : [`with ${rule.variables[0]}`]),
    ...(rule.option === null ? [] : [`with ${rule.option}`]),
  ];
  return ways.join(' or ');
}

/** What kind of model the file of a repository may not choose this one for; null when it may choose it. */
export function unfitForRepository(key: string, model: string): string | null {
  const [provider, ...rest] = model.split(':');
  if (provider === 'cassette') return 'a recording (cassette:)';
  if (provider === 'builtin') return key.endsWith('reviewer') ? 'a built-in rule as reviewer' : null;
  // The CLI runs Claude, no matter how the model is called; a server may call one model by two names.
  return provider === 'claude' || isKnownFamily(rest.join(':')) ? null : 'a model of no known family';
}

function judgeModel(rule: SettingRule, value: string, layers: Layers, userFile: string): string | null {
  const what = unfitForRepository(rule.key, value);
  // A user who sets the same value has decided it, so the repository's value changes nothing.
  if (what === null || findOwn(layers, rule.key)?.value === value) return null;
  return `a repository file may not choose ${what}, because ${rule.because}; choose it yourself ${waysToSet(rule, userFile)}`;
}

function judgeLimit(rule: SettingRule, value: number, layers: Layers, userFile: string): string | null {
  const own = findOwn(layers, rule.key)?.value;
  const most = Math.max(Number(rule.fallback), typeof own === 'number' ? own : 0);
  if (value <= most) return null;
  return `a repository file may only lower this, to ${most} at most, because ${rule.because}; raise it yourself ${waysToSet(rule, userFile)}`;
}

/** Why the file of a repository may not set this; null when it may. */
export function judgeForRepository(
  rule: SettingRule,
  value: unknown,
  layers: Layers,
  userFile: string,
): string | null {
  if (rule.repository === 'not')
    return `a repository file may not set this, because ${rule.because}; set it ${waysToSet(rule, userFile)}`;
  if (rule.repository === 'lower' && typeof value === 'number')
    return judgeLimit(rule, value, layers, userFile);
  if (rule.repository === 'set-model' && typeof value === 'string')
    return judgeModel(rule, value, layers, userFile);
  return null;
}

/** Why the user's file may not set this; null when it may. */
export function judgeForUser(rule: SettingRule): string | null {
  if (rule.userFile) return null;
  const ways = rule.option === null ? '' : `, or use ${rule.option}`;
  return `this belongs to one repository: put it into the gatewright.config.json there${ways}`;
}
