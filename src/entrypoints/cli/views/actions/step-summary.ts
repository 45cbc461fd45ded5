/** The summary of a job on GitHub, in Markdown. Words from elsewhere are shown there and do nothing. */
import type { Proposal } from '../../../../domain/proposals/proposal.ts';
import { inertCode, inertLine } from '../../../../domain/text/inert-markdown.ts';
import { describeCost } from '../../../../domain/text/money.ts';
import { toGatewrightError } from '../../../../errors.ts';
import type { ToldJob, ToldRun } from '../../../../fleet/proposals/describe-job.ts';
import type { JobEnd } from '../../../../fleet/proposals/run-job.ts';

/** In a table a line is a row, and a bar ends a cell; as an entity it does so after any number of backslashes. */
const cell = (text: string, longest = 300): string => inertLine(text, longest).replaceAll('\\|', '&#124;');

/** Code has no entities: with a bar in it, it is shown as words. */
const codeCell = (text: string): string => (text.includes('|') ? cell(text) : inertCode(text));

interface Links {
  readonly workflowRun: string;
  readonly repository: string;
}

/** Only of a number in this repository: its address consists of nothing that others wrote. */
function linkTo(number: number, { workflowRun, repository }: Links, words: string): string {
  const server = workflowRun.split(`/${repository}/`)[0] ?? '';
  return `[${words}](${server}/${repository}/issues/${number})`;
}

function subjectCell(subject: string, links: Links): string {
  const number = /^#([1-9]\d{0,15})$/u.exec(subject.slice(links.repository.length))?.[1];
  const isOwn = number !== undefined && subject.startsWith(links.repository);
  return isOwn ? linkTo(Number(number), links, codeCell(subject)) : codeCell(subject);
}

/** Letters that mean something to Mermaid are left out: a label is only read. */
const label = (text: string): string => text.replace(/[^A-Za-z0-9 .:_…-]/gu, ' ').slice(0, 60);

function drawPath({ id, who, status, path }: ToldRun): string[] {
  const steps = [who, ...path, status];
  return [
    // Markdown is not read here.
    `<details><summary>${label(who)} <code>${label(id)}</code></summary>`,
    '',
    '```mermaid',
    'flowchart LR',
    ...steps.map((step, index) => `  s${index}["${label(step)}"]`),
    ...steps.slice(1).map((_, index) => `  s${index} --> s${index + 1}`),
    '```',
    '',
    '</details>',
    '',
  ];
}

/** Effects that the other job was about to make and that no run here came to. */
function listUndone(proposal: Proposal | null, runs: readonly ToldRun[]): string[] {
  if (proposal === null) return [];
  return proposal.runs.flatMap(({ run, intended }) => {
    const told = runs.find(({ id }) => id === run);
    return intended
      .filter(({ kind }) => told?.path.includes(kind) !== true)
      .map(({ kind }) => {
        const why = told === undefined ? 'its run was not walked here' : told.why || told.status;
        return `- ${inertCode(kind, 60)} of ${inertCode(run)} was proposed and not done: ${cell(why)}`;
      });
  });
}

export function writeStepSummary(end: JobEnd, told: ToldJob, links: Links): string {
  const { applied, refused, proposal, started, notStarted, next } = end;
  if (refused !== null)
    return [`### Gatewright`, '', `Nothing was changed. ${cell(refused, 1000)}`, ''].join('\n');
  const undone = listUndone(proposal, told.runs);
  const rows = told.runs.map((run) => {
    const { who, subject, status, why, made } = run;
    const what = made === null ? cell(why) : `${cell(why)} ${linkTo(made, links, `#${made}`)}`;
    return `| ${cell(who)} | ${subjectCell(subject, links)} | ${status} | ${what} | ${describeCost(run)} |`;
  });
  const unused = applied?.unused ?? 0;
  const notes = [
    ...told.refusals.map(({ who, why }) => `- ${cell(who)} did not act: ${cell(why)}`),
    ...undone,
    ...(unused === 0
      ? []
      : [`- ${unused} answers were paid for and not used: what was asked has changed since.`]),
    ...(next === 'propose' ? ['- A model is asked in the next job.'] : []),
    ...(applied?.left ?? []).map(
      ({ subject }) => `- ${inertCode(subject)} stays open: another process works on it.`,
    ),
    ...(applied?.failures ?? []).map(({ subject, error }) => {
      const { message, hint } = toGatewrightError(error);
      return `- ${inertCode(subject)} failed and stays open: ${cell(message)} ${cell(hint)}`;
    }),
    ...started.map((file) => `- Started: ${inertCode(file)}`),
    ...notStarted.map(
      ({ file, why, hint }) => `- Not started: ${inertCode(file)}. ${cell(why)} ${cell(hint)}`,
    ),
  ];
  return [
    '### Gatewright',
    '',
    ...(rows.length === 0
      ? ['No agent had to act.']
      : ['| agent | subject | status | why | cost |', '|---|---|---|---|---|', ...rows]),
    '',
    ...notes,
    ...(notes.length === 0 ? [] : ['']),
    ...told.runs.flatMap(drawPath),
    `[This workflow run](${links.workflowRun})`,
    '',
  ].join('\n');
}
