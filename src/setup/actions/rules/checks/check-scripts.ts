/** Whether a value of others can become a part of a program, or steer one. */
import type { Scope, Trust } from '../trust/value-trust.ts';
import { actionName, type Job, type Step, templateOf } from '../workflow/workflow.ts';
import {
  entriesAt,
  entryOf,
  scalarsBelow,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from '../yaml/yaml-tree.ts';
import { type Check, type CheckContext, scopeOf } from './check.ts';
import { checkShellText } from './check-shell.ts';

/** Inputs of actions that are programs. */
const scriptInputs: Readonly<Record<string, readonly string[]>> = {
  'actions/github-script': ['script'],
  'amadevus/pwsh-script': ['script'],
  'appleboy/ssh-action': ['script'],
  'azure/cli': ['inlinescript'],
  'azure/powershell': ['inlinescript'],
  'cardinalby/js-eval-action': ['expression'],
  'jannekem/run-python-script-action': ['script'],
  'nick-fields/retry': ['command', 'on_retry_command'],
  'nick-invision/retry': ['command', 'on_retry_command'],
  'wandalen/wretry.action': ['command'],
};

/** Variables that make programs run code. */
const steering = new Set([
  ...['BASH_ENV', 'ENV', 'PATH', 'IFS', 'SHELLOPTS', 'PROMPT_COMMAND', 'LD_PRELOAD', 'LD_LIBRARY_PATH'],
  ...[
    'DYLD_INSERT_LIBRARIES',
    'DYLD_LIBRARY_PATH',
    'NODE_OPTIONS',
    'NODE_PATH',
    'PYTHONPATH',
    'PYTHONSTARTUP',
  ],
  ...['PERL5OPT', 'PERL5LIB', 'RUBYOPT', 'RUBYLIB', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'GIT_SSH_COMMAND'],
  ...[
    'GIT_SSH',
    'GIT_EXTERNAL_DIFF',
    'GIT_ASKPASS',
    'SSH_ASKPASS',
    'EDITOR',
    'GIT_EDITOR',
    'PAGER',
    'GIT_PAGER',
  ],
]);

function checkCode(
  scalar: YamlScalar,
  where: string,
  around: YamlEntry,
  scope: Scope,
  context: CheckContext,
): void {
  for (const embedded of templateOf(scalar).embedded) {
    const { strangers, unlisted } = context.trust.ofEmbedded(embedded, scope);
    if (strangers !== null)
      context.report('script-injection', embedded.at, `${strangers} in ${where}`, around.at);
    else if (unlisted !== null)
      context.report('unlisted-value-in-script', embedded.at, `${unlisted} in ${where}`, around.at);
  }
}

/** Only what a stranger writes counts: other values choose a machine or a folder as they should. */
function checkSetting(node: YamlNode | null, where: string, scope: Scope, context: CheckContext): void {
  for (const { scalar } of scalarsBelow(node))
    for (const embedded of templateOf(scalar).embedded) {
      const { strangers }: Trust = context.trust.ofEmbedded(embedded, scope);
      if (strangers !== null)
        context.report('untrusted-job-setting', embedded.at, `${strangers} in ${where}`);
    }
}

function checkVariables(entries: readonly YamlEntry[], scope: Scope, context: CheckContext): void {
  for (const { key, at, value } of entries) {
    if (key.toUpperCase() === 'ACTIONS_ALLOW_UNSECURE_COMMANDS') {
      if (value.kind !== 'scalar' || value.text.trim().toLowerCase() !== 'false')
        context.report('unsecure-commands', at);
    }
    if (!steering.has(key.toUpperCase()) || value.kind !== 'scalar') continue;
    const { strangers } = context.trust.ofTemplate(value, scope);
    if (strangers !== null) context.report('env-steers-programs', at, `${strangers} in ${key}`);
  }
}

function checkDefaults(node: YamlNode, scope: Scope, context: CheckContext): void {
  for (const entry of entriesAt(node, 'defaults', 'run')) {
    if (entry.value.kind !== 'scalar') continue;
    if (entry.key === 'shell') checkCode(entry.value, 'shell', entry, scope, context);
    if (entry.key === 'working-directory') checkSetting(entry.value, entry.key, scope, context);
  }
}

function checkStep(step: Step, scope: Scope, context: CheckContext): void {
  for (const entry of step.node.entries) {
    if (entry.value.kind !== 'scalar') continue;
    if (entry.key === 'run') {
      checkCode(entry.value, 'run', entry, scope, context);
      checkShellText(entry.value, entry.at, scope, context);
    }
    if (entry.key === 'shell') checkCode(entry.value, 'shell', entry, scope, context);
    if (entry.key === 'working-directory') checkSetting(entry.value, entry.key, scope, context);
  }
  const inputs = scriptInputs[actionName(step.uses)] ?? [];
  const isImage = step.uses?.text.startsWith('docker://') === true;
  for (const entry of step.with) {
    if (entry.value.kind !== 'scalar') continue;
    const name = entry.key.toLowerCase();
    if (inputs.includes(name) || (isImage && name === 'entrypoint'))
      checkCode(entry.value, name, entry, scope, context);
  }
  checkVariables(step.env, scope, context);
}

function checkJob(job: Job, context: CheckContext): void {
  const scope = scopeOf(context, { job });
  for (const key of ['runs-on', 'container', 'services'])
    checkSetting(entryOf(job.node, key)?.value ?? null, key, scope, context);
  checkDefaults(job.node, scope, context);
  checkVariables(entriesAt(job.node, 'env'), scope, context);
  for (const step of job.steps) checkStep(step, { ...scope, step }, context);
}

export const checkScripts: Check = (context) => {
  const scope = scopeOf(context);
  checkDefaults(context.workflow.root, scope, context);
  checkVariables(entriesAt(context.workflow.root, 'env'), scope, context);
  for (const job of context.workflow.jobs) checkJob(job, context);
};
