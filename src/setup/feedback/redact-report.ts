/**
 * What may go into a bug report: kinds, codes, numbers, versions and words of ours. A field that is not listed here, or
 * whose value is not one of its known values, is left out. No sentence is printed, not even one of ours: sentences hold
 * paths, names and command lines, and no filter recognises all of them.
 */

import { answerers, gateKinds } from '../../domain/drafts/gate.ts';
import { decisions } from '../../domain/drafts/verdict.ts';
import { agentNames } from '../../domain/fleet/agent-names.ts';
import { eventSchema } from '../../domain/fleet/event.ts';
import { effectKinds } from '../../domain/ledger/describe-effect.ts';
import { entryKinds } from '../../domain/ledger/describe-entry.ts';
import { authoringWorkflows } from '../../domain/ledger/run.ts';
import { errorCatalogue } from '../../errors.ts';
import type { NamedFinding } from '../checkup/run-checkup.ts';

type Json = Readonly<Record<string, unknown>>;

/** What is printed of a value; undefined when nothing is. */
type Rule = (value: unknown) => string | number | boolean | undefined;

function oneOf(...known: readonly string[]): Rule {
  const all: ReadonlySet<unknown> = new Set(known);
  return (value) => (typeof value === 'string' && all.has(value) ? value : undefined);
}

const amount: Rule = (value) =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) ? value : undefined;

const version: Rule = (value) =>
  typeof value === 'string' && /^\d{1,5}(?:\.\d{1,5}){0,3}$/u.test(value) ? value : undefined;

const providers: ReadonlySet<string> = new Set([
  ...['google', 'anthropic', 'openai', 'claude', 'builtin', 'cassette', 'record'],
]);

/** The parts that public names of models consist of. The name of a model that a company trained is not public. */
const modelParts: ReadonlySet<string> = new Set([
  ...['claude', 'opus', 'sonnet', 'haiku', 'gemini', 'gemma', 'gpt', 'codex', 'llama', 'mistral', 'mixtral'],
  ...[
    'codestral',
    'magistral',
    'devstral',
    'qwen',
    'deepseek',
    'grok',
    'o1',
    'o3',
    'o4',
    '4o',
    'chat',
    'coder',
  ],
  ...['pro', 'flash', 'lite', 'mini', 'nano', 'turbo', 'fast', 'large', 'medium', 'small', 'instruct', 'max'],
  ...['preview', 'exp', 'latest', 'default', 'thinking', 'outline', 'checklist'],
]);

/** A model by its public name; of another one only the provider, if that is a known one. */
export function describeModelName(name: string): string {
  const [, provider = '', model = name] = /^([a-z]+):(.*)$/su.exec(name) ?? [];
  if (provider !== '' && !providers.has(provider)) return 'other';
  const isPublic = model.split(/[-.]/u).every((part) => modelParts.has(part) || /^\d{1,8}$/u.test(part));
  return `${provider === '' ? '' : `${provider}:`}${isPublic ? model : 'other'}`;
}

const model: Rule = (value) => (typeof value === 'string' ? describeModelName(value) : undefined);

const editors: ReadonlySet<unknown> = new Set([
  ...[
    'vi',
    'vim',
    'nvim',
    'nano',
    'emacs',
    'emacsclient',
    'micro',
    'hx',
    'ed',
    'code',
    'codium',
    'cursor',
    'zed',
  ],
  ...['subl', 'gedit', 'kate', 'mate', 'idea', 'webstorm', 'gvim', 'pico', 'joe', 'ne'],
]);

const code = oneOf(...Object.keys(errorCatalogue), 'gate', 'finished', 'conflict', 'failed', 'timed-out');
const sandboxes = ['none', 'bubblewrap', 'namespaces'];
const statuses = oneOf('running', 'waiting', 'paused', 'blocked', 'failed', 'done');
const workflow = oneOf(...authoringWorkflows, 'agent');
const eventKinds = eventSchema.options.map(({ shape }) => shape.kind.value);

/** What is printed of the fields of an entry of the ledger. */
const fields: ReadonlyMap<string, Rule> = new Map([
  [
    'node',
    oneOf(
      ...['N0_load_brief', 'N1_sandbox', 'N2_draft', 'N3_human_edit_draft', 'N4_review'],
      ...['N5_human_edit_verdict', 'N6_file', 'N6_filing_gate'],
    ),
  ],
  [
    'role',
    oneOf(
      ...['drafter', 'reviewer', 'planner', 'implementer', 'fixer', 'merger', 'doctor', 'documenter'],
      ...['coder', 'writer'],
    ),
  ],
  ['model', model],
  ['reportedModel', model],
  ['status', statuses],
  ['code', code],
  ['why', code],
  ['kind', oneOf(...effectKinds, ...eventKinds, ...gateKinds, ...sandboxes)],
  ['choice', oneOf('send', 'revise', 'save', 'approve', 'manual', 'retry', 'edit', 'abort')],
  ['by', oneOf(...answerers)],
  ['agent', oneOf(...agentNames, 'label-keeper')],
  ['workflow', workflow],
  ['owner', oneOf('person', 'time', 'nobody')],
  ['decision', oneOf(...decisions)],
  ...[
    ...[
      'step',
      'call',
      'exitCode',
      'milliseconds',
      'inputTokens',
      'outputTokens',
      'costUsd',
      'turns',
      'count',
    ],
    ...['cacheReadTokens', 'cacheWriteTokens', 'isUnpriced', 'isAtMost', 'dryRun', 'strict', 'attempt'],
  ].map((name) => [name, amount] as const),
]);

/** Fields to look into. */
const parts: ReadonlySet<string> = new Set([
  ...['reason', 'request', 'usage', 'effect', 'answer', 'grant', 'atMost'],
]);

function keep(rules: ReadonlyMap<string, Rule>, name: string, value: unknown): [string, unknown][] {
  const kept = rules.get(name)?.(value);
  return kept === undefined ? [] : [[name, kept]];
}

export function redactData(data: unknown, depth = 0): Json {
  if (typeof data !== 'object' || data === null || Array.isArray(data) || depth > 3) return {};
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
      if (!parts.has(name)) return keep(fields, name, value);
      const inner = redactData(value, depth + 1);
      return Object.keys(inner).length === 0 ? [] : [[name, inner]];
    }),
  );
}

const entryKind = oneOf(...entryKinds);

export function redactEntryKind(kind: string): string {
  return String(entryKind(kind) ?? 'other');
}

/** What is printed of the facts of a check. */
const factRules: ReadonlyMap<string, Rule> = new Map([
  ['version', version],
  ['sandbox', oneOf(...sandboxes)],
  ['forge', oneOf('local', 'github')],
  ['permission', oneOf('none', 'read', 'triage', 'write', 'maintain', 'admin')],
  ['code', code],
  ['model', model],
  ['editor', (value) => (editors.has(value) ? String(value) : 'other')],
  ...['count', 'freeMebibytes', 'schema', 'knownSchema', 'seconds'].map((name) => [name, amount] as const),
]);

/** Whether a text names it, not only as a part of a longer name. */
function mentions(text: string, name: string): boolean {
  return text.split(/[^\w.-]+/u).some((word) => word.replace(/[.]+$/u, '') === name);
}

/**
 * A check, its state and what it found in numbers and words of ours.
 * @param ownNames the settings and variables of ours: those that the finding is about are named
 */
export function redactFinding(
  { name, state, detail, fix, facts = {} }: NamedFinding,
  ownNames: readonly string[],
): Json {
  const settings = state === 'ok' ? [] : ownNames.filter((one) => mentions(`${detail} ${fix}`, one));
  return {
    ...{ name, state },
    ...Object.fromEntries(Object.entries(facts).flatMap(([one, value]) => keep(factRules, one, value))),
    ...(settings.length === 0 ? {} : { settings }),
  };
}
