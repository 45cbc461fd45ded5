/** Why a pull request is not merged: every condition that is not met, who can change it, and how. Changes nothing. */
import type { AgentName } from '../../domain/fleet/agent-names.ts';
import { findMergeLimit } from '../../domain/fleet/merge-attempts.ts';
import { type Condition, toDo } from '../../domain/ledger/condition.ts';
import type { EntryOf, LedgerEntry } from '../../domain/ledger/ledger-entry.ts';
import { issueSubject } from '../../domain/ledger/subject.ts';
import { quoteForShell } from '../../domain/text/quote-for-shell.ts';
import type { Explained, ExplainedNumber, ExplainPlace } from '../agent.ts';
import { describeFailed, isVerified, seeOutput } from '../pull-requests/failed-command.ts';
import { sayThere } from '../pull-requests/say-there.ts';
import { mergeLabel } from './find-merge-grant.ts';
import { gatherMergeFacts } from './gather-merge-facts.ts';
import { failureWords, rejectionKey } from './report-broken-merge.ts';
import {
  type MergeFacts,
  remedies,
  type UnmetCondition,
  unmetMergeConditions,
} from './rules/merge-conditions.ts';

/** While the agent is switched off, waiting does not help: no run will do its part. */
function describeAgent({ settings, commandSuffix, modelOptions }: ExplainPlace, agent: AgentName) {
  return settings.agents.includes(agent)
    ? { who: `the agent ${agent}`, command: `gatewright dispatch${modelOptions}${commandSuffix}` }
    : { who: 'you: that agent is switched off', ...toDo(`add "${agent}" to fleet.agents`) };
}

const reviewing: readonly UnmetCondition['code'][] = ['not-reviewed', 'review-outdated', 'review-other-base'];

/** What only a new setting of the label meets: a grant holds for the head, the base and the account that it was given with. */
const settingAgain: readonly UnmetCondition['code'][] = [
  ...(['label-untrusted', 'label-unplaced', 'label-outdated', 'label-other-base', 'asks-person'] as const),
];

/** Labels have a command where there is no page to set them on. */
function remedyOf(
  place: ExplainPlace,
  facts: MergeFacts,
  { code, what }: UnmetCondition,
): Pick<Condition, 'command' | 'how'> {
  const remedy = toDo(remedies[code]);
  if (place.forge.kind !== 'local') return remedy;
  const pr = (words: string): string => `gatewright forge pr ${words}${place.commandSuffix}`;
  if (code === 'label-missing')
    return { ...remedy, command: pr(`edit ${facts.number} --add-label ${mergeLabel}`) };
  if (settingAgain.includes(code)) {
    const edit = (option: string): string => pr(`edit ${facts.number} ${option} ${mergeLabel}`);
    return { ...remedy, command: `${edit('--remove-label')} && ${edit('--add-label')}` };
  }
  if (code === 'draft') return { command: pr(`ready ${facts.number}`) };
  const held = facts.labels.find((name) => code === 'held' && what.includes(`"${name}"`));
  if (held === undefined) return remedy;
  return {
    how: `read there why (${pr(`view ${facts.number}`)}), then remove the label`,
    command: pr(`edit ${facts.number} --remove-label ${quoteForShell(held)}`),
  };
}

/** An order merges the base in, also where no event has told of the conflict or a limit is reached. */
function settlingOf(place: ExplainPlace, number: number) {
  return {
    who: 'the agent implementer, on the word of a person with write permission',
    ...toDo(sayThere(place, number, 'continue')),
    advice: `Or ${remedies.conflict}.`,
  };
}

function limitConditions(entries: readonly LedgerEntry[]): Condition[] {
  const times = findMergeLimit(entries);
  if (times === null) return [];
  return [
    {
      what: `reached the limit of merge attempts (${times} in a row): each time the pull request or its base had moved`,
      who: 'a person with write permission',
      ...toDo('change a label, push, or merge it by hand'),
    },
  ];
}

/** What was tried on the newest base and did not work, with the command that showed it. */
async function rejectionCondition(
  place: ExplainPlace,
  { base }: MergeFacts,
  { run, data }: EntryOf<'merge-rejected'>,
): Promise<Condition> {
  const what = `tried on ${base} at ${data.base.slice(0, 12)}, it ${failureWords[data.why]}`;
  const fix = 'push a fix; or, if the cause was not in this change, change one of its labels';
  const who = 'the person who fixes it';
  const failed = (await place.ledger.readRun(run))
    .filter(isVerified)
    .findLast(({ data: { output, exitCode } }) => output === data.output && exitCode !== 0);
  if (failed === undefined) return { what, who, ...toDo(fix) };
  const how = `${seeOutput(failed, place.commandSuffix)}; then ${fix}`;
  return { what: `${what}: ${await describeFailed(place, failed)}`, who, ...toDo(how) };
}

export async function explainMerge(place: ExplainPlace, { issue }: ExplainedNumber): Promise<Explained> {
  const { settings, ledger, repository } = place;
  const { number } = issue;
  const limits = limitConditions(await ledger.readWork(issueSubject(repository, number)));
  // People who ask why nothing moves are told what is known, also where git cannot be asked.
  const facts = await gatherMergeFacts({ ...place, isUnfetchedTold: true }, number);
  const isOurs = (await ledger.find('pull-request-made', issueSubject(repository, number))) !== null;
  const conditions: Condition[] = unmetMergeConditions(facts)
    // No label lets one from a fork be merged.
    .filter(({ code }) => code !== 'not-open' && !(facts.isFromFork && code === 'label-missing'))
    .map((unmet) => {
      if (reviewing.includes(unmet.code)) return { what: unmet.what, ...describeAgent(place, 'reviewer') };
      if (unmet.code === 'conflict' && isOurs && settings.agents.includes('implementer'))
        return { what: unmet.what, ...settlingOf(place, number) };
      return { what: unmet.what, who: unmet.who, ...remedyOf(place, facts, unmet) };
    });
  const rejected = await ledger.find(
    'merge-rejected',
    rejectionKey(repository, { number, head: facts.head }, facts.base),
  );
  if (rejected !== null) conditions.push(await rejectionCondition(place, facts, rejected));
  if (!settings.agents.includes('auto-merge'))
    conditions.push({
      what: 'auto-merge is switched off',
      ...describeAgent(place, 'auto-merge'),
    });
  return { conditions: [...limits, ...conditions] };
}
