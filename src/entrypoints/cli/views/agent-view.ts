/** The agents in words: for the screen and for the documentation, from their manifests. */

import { agentManifests, manifestOf } from '../../../agents/agents.ts';
import type { Manifest } from '../../../agents/manifest.ts';
import { type AgentModels, agentRoleNames, takesTurns } from '../../../domain/fleet/agent-models.ts';
import type { AgentName } from '../../../domain/fleet/agent-names.ts';
import { describeSchedule } from '../../../domain/fleet/schedule.ts';
import { countOf } from '../../../domain/text/count-of.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';

/** Where the name of an event alone would not read well. */
const eventWords: Readonly<Record<string, string>> = {
  labeled: 'label set',
  unlabeled: 'label removed',
  'pull-request-synchronized': 'commits pushed to a pull request',
};

/** What starts it, one line each. */
export function triggerLines({ triggers }: Manifest): string[] {
  return triggers.map((trigger) => {
    if ('schedule' in trigger) return describeSchedule(trigger.schedule);
    const what = eventWords[trigger.on] ?? trigger.on.replaceAll('-', ' ');
    return trigger.when === 'always' ? what : `${what}, if ${trigger.when}`;
  });
}

const forWriters: ReadonlySet<string> = new Set(['pull-request-closed', 'base-pushed']);

/**
 * Whether only an order can start it. If that holds for some of its triggers only, the words of those triggers say so. A
 * merge and a push to the base count too: only they can do that.
 */
export function takesOrders({ triggers }: Manifest): boolean {
  return triggers.every(
    (trigger) => 'as' in trigger && (trigger.as === 'order' || forWriters.has(trigger.on)),
  );
}

export const orderWords = 'only by people with write permission and by listed programs';

/** Which model it asks, and how many turns it may take. A model that answers in a single call has no turns to count. */
export function modelText({ model, turns, planTurns }: Manifest, models: AgentModels): string {
  if (model === 'none') return turns === 0 ? 'none' : `none; ${countOf(turns, 'turn')} if a model adds words`;
  const who = `${agentRoleNames[model].title} ${escapeForLine(models[model], 60)}`;
  if (model !== 'coder') return `${who}, ${takesTurns(models[model]) ? countOf(turns, 'turn') : 'one call'}`;
  if (planTurns === undefined) return `${who}, ${countOf(turns, 'turn')}`;
  const planner = escapeForLine(models.planner, 60);
  return `planner ${planner}, ${countOf(planTurns, 'turn')} (read-only); ${who}, ${countOf(turns, 'turn')} to implement`;
}

/** Effects with how many of each in one run. */
export function effectLines({ may }: Manifest): string[] {
  return Object.entries(may).map(([kind, cap]) => `${kind}: ${cap}`);
}

/** The help page in parts, each with its heading. */
export function helpParts(entry: Manifest): (readonly [heading: string, text: string])[] {
  const { does, stops, holdBack, never } = entry.help;
  return [
    ['What it does', does],
    ['When it stops', stops],
    ['How to keep it from acting', holdBack],
    ['What it never does', never],
  ];
}

/** One agent, with everything that there is to know about it. */
export function agentPage(name: AgentName, models: AgentModels): string {
  const entry = manifestOf(name);
  const list = (lines: readonly string[]) => lines.map((line) => `  - ${line}`).join('\n');
  const [does, ...others] = helpParts(entry).map(([heading, text]) => `${heading}\n  ${text}`);
  return [
    `${name}\n  ${entry.purpose}`,
    does,
    `What starts it${takesOrders(entry) ? ` (${orderWords})` : ''}\n${list(triggerLines(entry))}`,
    `Model\n  ${modelText(entry, models)}`,
    `What it may do in one run, and how often\n${list(effectLines(entry))}`,
    ...others,
  ].join('\n\n');
}

/** All of them: who reacts to what, and how far each may go. */
export function agentOverview(models: AgentModels): string {
  const part = (heading: string, text: string) => `  ${heading.padEnd(6)}  ${text}`;
  return agentManifests
    .map((entry) =>
      [
        entry.name,
        `  ${entry.purpose}`,
        part('wakes', triggerLines(entry).join('; ') + (takesOrders(entry) ? ` (${orderWords})` : '')),
        part('model', modelText(entry, models)),
        part('may', effectLines(entry).join(', ')),
      ].join('\n'),
    )
    .join('\n\n');
}
