/**
 * What the lists of `status` and `gates` know of issues and pull requests elsewhere. Without asking they know what runs
 * and events last told; with `--fresh` GitHub is asked about each one that would be listed, within limits.
 */
import type { Subject } from '../../domain/ledger/subject.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError, isGatewrightError, toGatewrightError } from '../../errors.ts';
import type { ClosedIssues } from '../../ports/closed-issues.ts';
import type { RunViews } from '../../ports/ledger.ts';
import type { Status } from '../../runs/read-status.ts';
import type { App } from './app.ts';
import { openHouseOf } from './open-house.ts';

/** More are not asked about, one request each. */
const mostAsked = 30;
const longestWait = 15_000;

/** Repositories of GitHub by their subjects; a brief, and what is of the local forge, is not among them. */
async function groupElsewhere(views: RunViews, subjects: readonly Subject[]) {
  const groups = new Map<string, number[]>();
  for (const subject of subjects) {
    const [, repository = '', number] = /^(.+)#(\d+)$/u.exec(subject) ?? [];
    if (number !== undefined) groups.set(repository, [...(groups.get(repository) ?? []), Number(number)]);
  }
  const found = [];
  for (const [repository, numbers] of groups) {
    const [run] = await views.listRuns({ repository }, { limit: 1 });
    if (run?.request.forge === 'github') found.push({ repository, numbers, run });
  }
  return found;
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new GatewrightError('forge-unavailable', 'GitHub did not answer in time.')),
      longestWait,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same, with an answer of GitHub for what is there. What cannot be asked about stays listed, and is told. */
export function askFreshly(app: App, views: RunViews, known: ClosedIssues): ClosedIssues {
  const askAll = async (subjects: readonly Subject[]): Promise<Subject[]> => {
    const closed: Subject[] = [];
    let asked = 0;
    for (const { repository, numbers, run } of await groupElsewhere(views, subjects)) {
      try {
        const { forge } = await openHouseOf(app, run, true);
        for (const number of numbers) {
          if (asked >= mostAsked) break;
          asked += 1;
          const isOver = await withinLimit(forge.getIssue(repository, number)).then(
            ({ state }) => state !== 'open',
            (error: unknown) => {
              if (isGatewrightError(error, 'forge-not-found', 'forge-moved', 'forge-gone')) return true;
              throw error;
            },
          );
          if (isOver) closed.push(`${repository}#${number}`);
        }
      } catch (error) {
        const why = escapeForLine(toGatewrightError(error).message, 200);
        app.terminal.say(`GitHub could not be asked about ${escapeForLine(repository)}: ${why}`);
      }
    }
    return closed;
  };
  return {
    listClosed: async (subjects) => {
      const here = await known.listClosed(subjects);
      return [...here, ...(await askAll(subjects.filter((subject) => !here.includes(subject))))];
    },
    listHeld: (subjects) => known.listHeld(subjects),
  };
}

/** Whether a list shows something of GitHub, which it did not ask. */
export async function showsElsewhere(
  views: RunViews,
  { gates, asked, stopped }: Pick<Status, 'gates' | 'asked' | 'stopped'>,
): Promise<boolean> {
  const subjects = [
    ...asked.map(({ subject }) => subject),
    ...[...gates, ...stopped].map(({ run }) => run.subject),
  ];
  return (await groupElsewhere(views, subjects)).length > 0;
}

export const notAsked =
  'GitHub was not asked: each line about it is as old as it says. To leave out what is closed by now: gatewright status --fresh';
