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
    'Ten agents work on a repository. Each agent has a short list of what starts it and of what it may do. It can do nothing that is not on the list; the numbers are limits for one run. Orders count only from people with write permission and from listed programs. An event that everybody can cause, such as a new pull request, starts an agent too. On the command line: `gatewright agents`, and `gatewright agents NAME` for one of them.',
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
    'Labels show where an issue or a pull request stands; the [ledger](ledger.md) is what counts. A label grants only what the person who set it may grant.',
    '```sh\ngatewright labels\ngatewright labels sync --forge local --dry-run\ngatewright labels sync --forge local\n```',
    '`labels sync` makes those that are missing on the forge, with the ones under `labels` in the [configuration](configuration.md). A label that is there in another colour or with another description is reported and left as it is: people may have chosen it so.',
    '## Who may change them',
    'Gatewright sets and removes its own. *Write permission* means people who have it and programs that are listed in `fleet.bots`; labels that another program sets do not count, even if the forge lets it set them. A person with write permission may remove any label.\n\nGatewright undoes a change that was not permitted, once, with a comment that says why. It also undoes a stage that cannot follow the present one. There is one risk label at a time: the one that a permitted person set last replaces the other. There is one stage at a time too. Gatewright ignores labels that are not on this page. A draft of an issue may not carry a label that steers.',
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
