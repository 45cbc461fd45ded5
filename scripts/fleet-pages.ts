/** The pages on agents and labels, from their tables. */

import { agentManifests } from '../src/agents/agents.ts';
import type { Manifest } from '../src/agents/manifest.ts';
import { usualAgentModels } from '../src/domain/fleet/agent-models.ts';
import { type KnownLabel, labelTable } from '../src/domain/forge/label-table.ts';
import {
  effectLines,
  helpParts,
  modelText,
  orderWords,
  takesOrders,
  triggerLines,
} from '../src/entrypoints/cli/views/agent-view.ts';
import { isMade, rightText } from '../src/entrypoints/cli/views/label-view.ts';
import { markdownTable, note } from './page-parts.ts';

function agentSection(entry: Manifest): string {
  const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
  return [
    `## ${entry.name}`,
    entry.purpose,
    ...helpParts(entry).map(([heading, text]) => `**${heading}.** ${text}`),
    `**What wakes it**${takesOrders(entry) ? `, ${orderWords}` : ''}:\n\n${list(triggerLines(entry))}`,
    `**What it may do in one run, and how often:**\n\n${list(effectLines(entry).map((line) => line.replace(/^[\w-]+/u, '`$&`')))}`,
  ].join('\n\n');
}

export function agentsPage(): string {
  return [
    '# The agents',
    note,
    'Ten agents keep a repository going. Each has a short list of what wakes it and of what it may do; what is not on the list cannot be done, and the numbers are the most in one run. Orders count only from somebody who may give them; what everybody can see, such as a new pull request, wakes an agent whoever made it. On the command line: `gatewright agents`, and `gatewright agents NAME` for one of them.',
    '```sh\ngatewright agents\ngatewright agents reviewer\n```',
    'Which are on is the setting `fleet.agents`; what they are called by, `fleet.handle`: [configuration](configuration.md). Where no model is needed none is asked: numbers are counted by code, and a model adds words, not decisions.',
    markdownTable(
      ['agent', 'what it is for', 'model and turns, unless you choose others'],
      agentManifests.map((entry) => [
        `[${entry.name}](#${entry.name})`,
        entry.purpose,
        modelText(entry, usualAgentModels),
      ]),
    ),
    ...agentManifests.map(agentSection),
  ].join('\n\n');
}

function labelRows(labels: readonly KnownLabel[]): string {
  return markdownTable(
    ['label', 'what it tells', 'set by', 'removed by', 'read by', 'comes', 'goes'],
    labels.map((label) => [
      `\`${label.name}\``,
      isMade(label) ? `${label.description} (\`#${label.colour}\`)` : 'of other tools: known, and not made',
      rightText(label.setBy),
      rightText(label.removedBy),
      label.readBy.join(', ') || 'other tools',
      label.comes,
      label.goes,
    ]),
  );
}

export function labelsPage(): string {
  const of = (...kinds: KnownLabel['kind'][]) =>
    labelRows(labelTable.filter(({ kind }) => kinds.includes(kind)));
  const stages = labelTable.filter(({ kind }) => kind === 'stage');
  return [
    '# Labels',
    note,
    'Labels show where things are; the [ledger](ledger.md) knows it. Setting one grants nothing that was not granted to whoever set it.',
    '```sh\ngatewright labels\ngatewright labels sync --forge local --dry-run\ngatewright labels sync --forge local\n```',
    '`labels sync` makes those that are missing on the forge, with the ones under `labels` in the [configuration](configuration.md). A label that is there in another colour or with another description is reported and left as it is: people may have chosen it so.',
    '## Who may change them',
    'Gatewright sets and removes its own. *Write permission* means people who have it and programs that are listed in `fleet.bots`; a program that is not listed counts for nothing, whatever it may do on the forge. Whoever has write permission may remove any label.\n\nA change by somebody without the right is undone, once, with a comment that says why. So is one that cannot follow: of the risk labels there is one at a time, and the one that a permitted person set last takes the place of the other; of the stages there is one at a time too. Labels that are not on this page are nobody’s business here. A draft of an issue may carry no label that steers.',
    '## Risk of a pull request: exactly one',
    of('risk'),
    '## What goes on',
    of('state'),
    '## Stages of an issue in the loop: one at a time',
    of('stage'),
    markdownTable(
      ['stage', 'may come after'],
      stages.map(({ name, follows }) => [
        `\`${name}\``,
        follows.length === 0 ? 'no other' : follows.map((one) => `\`${one}\``).join(', '),
      ]),
    ),
    '## What agents wrote',
    of('report'),
    '## What it is about, and labels of other tools',
    of('content', 'foreign'),
  ].join('\n\n');
}
