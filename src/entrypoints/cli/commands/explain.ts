/** `explain`: why something is where it is. */

import type { Condition } from '../../../domain/ledger/condition.ts';
import { describeNode } from '../../../domain/ledger/node-words.ts';
import { isAgentRun, type RunSummary } from '../../../domain/ledger/run.ts';
import { isSameRepository } from '../../../domain/ledger/subject.ts';
import { money } from '../../../domain/text/money.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import type { NumberExplanation } from '../../../fleet/explain-number.ts';
import { explainRun, findRunOf } from '../../../runs/explain-subject.ts';
import type { House } from '../../../runs/house.ts';
import type { App } from '../app.ts';
import { openHouseOf } from '../open-house.ts';
import type { Handler } from '../table/command.ts';
import { ago, boundNote, cost } from '../views/format.ts';
import { linkSubjects } from '../views/link-subjects.ts';

function printConditions(app: App, conditions: readonly Condition[]): void {
  const { terminal } = app;
  if (conditions.length > 0) terminal.print('What would unblock it:');
  for (const { what, who, command, how, advice } of conditions) {
    terminal.print(`  - ${escapeForLine(what, 300)}`);
    if (advice !== undefined) terminal.print(`    fix: ${advice}`);
    terminal.print(`    who: ${escapeForLine(who)}`);
    if (how !== undefined) terminal.print(`    how: ${escapeForLine(how, 500)}`);
    if (command !== '') terminal.print(`    run: ${escapeForLine(command, 500)}`);
  }
}

function printNumber(app: App, explained: NumberExplanation): void {
  const { terminal } = app;
  const { subject, title, kind, state, conditions, budgetUsd, costAtMostUsd, lately, working } = explained;
  terminal.linkNumber(explained.url);
  terminal.print(`${subject}  "${escapeForLine(title, 80)}"  (${kind}, ${state})`);
  const since = working === null ? '' : ` for ${ago(working.since, new Date())}`;
  const run = working === null || working.run === null ? '' : ` (gatewright runs show ${working.run})`;
  terminal.print(`Now:   ${escapeForLine(explained.now, 200)}${since}${run}`);
  for (const { at, what } of lately)
    terminal.print(`       ${ago(at, new Date())} ago  ${escapeForLine(what, 200)}`);
  for (const [index, one] of (explained.grounds ?? []).entries())
    terminal.print(`${index === 0 ? 'Grant: ' : '       '}${escapeForLine(one, 300)}`);
  terminal.print(`Cost:  ${cost(explained)} so far, of ${money(budgetUsd)}${boundNote(costAtMostUsd)}`);
  printConditions(app, conditions);
}

async function explainOneRun(
  app: App,
  run: RunSummary,
  isJson: boolean,
  records: Parameters<typeof explainRun>,
): Promise<void> {
  const explanation = await explainRun(...records);
  const { terminal } = app;
  if (isJson) {
    const { standing, why, conditions } = explanation;
    terminal.printJson({
      subject: run.subject,
      run: run.id,
      title: run.request.title,
      status: standing,
      why,
      conditions,
      result: run.result,
      costUsd: run.costUsd,
      costAtMostUsd: run.costAtMostUsd,
      since: run.changedAt,
    });
    return;
  }
  linkSubjects(app, [run]);
  terminal.print(`${run.subject}  "${escapeForLine(run.request.title, 80)}"  (run ${run.id})`);
  terminal.print(
    `Now:   ${explanation.standing} for ${ago(run.changedAt, new Date())}${run.node === null ? '' : `, last step: ${describeNode(run.node)}`}`,
  );
  terminal.print(`Why:   ${escapeForLine(explanation.why, 300)}`);
  if (run.result !== null) terminal.print(`Issue: ${run.result.url}`);
  terminal.print(`Cost:  ${cost(run)} so far${boundNote(run.costAtMostUsd)}`);
  printConditions(app, explanation.conditions);
}

/** The issue or pull request that is meant, if a number was typed; null otherwise. */
function readTyped(typed: string): { readonly repository: string | null; readonly number: number } | null {
  const [, repository = null, number] = /^(?:([^#]+)?#)?(\d{1,9})$/u.exec(typed) ?? [];
  return number === undefined ? null : { repository, number: Number(number) };
}

/** The forge gave no answer: no token, no network, no service. */
const unasked = ['forge-not-authenticated', 'forge-rate-limited', 'forge-unavailable'] as const;

type Views = NonNullable<Awaited<ReturnType<App['openViews']>>>['views'];

/** The newest run about a number in each repository that knows it. */
async function findElsewhere(
  views: Views | null,
  number: number,
  repository: string | null,
): Promise<RunSummary[]> {
  const runs =
    (await views?.listRuns({ issue: number, ...(repository === null ? {} : { repository }) })) ?? [];
  return [...new Map(runs.reverse().map((run) => [run.request.repository, run])).values()];
}

/** A number is one of the repository that the person is in, unless they name another: each repository has a #1. */
async function openNumber(
  app: App,
  views: Views | null,
  { repository, number }: { readonly repository: string | null; readonly number: number },
): Promise<House> {
  const elsewhere = await findElsewhere(views, number, repository);
  const [only, ...others] = elsewhere;
  if (repository === null) {
    const isHere = (await app.findRoot(null)) !== null;
    if (isHere) return app.openHouse(null, { forge: null, name: null, asAgent: true });
    if (others.length > 0)
      throw new GatewrightError('usage', `#${number} is in more than one repository.`, {
        hint: `Say which: ${elsewhere.map(({ request }) => `gatewright explain '${request.repository}#${number}'`).join(' or ')}`,
      });
  }
  if (only !== undefined) return openHouseOf(app, only, true);
  const house = await app.openHouse(null, { forge: null, name: null, asAgent: true });
  if (repository === null || isSameRepository(repository, house.repositoryName)) return house;
  throw new GatewrightError('subject-not-found', `Gatewright knows nothing about ${repository}#${number}.`, {
    hint: `Here is ${house.repositoryName}. Go to the folder of ${repository}, or name one of its runs (gatewright runs).`,
  });
}

async function explainTyped(
  app: App,
  views: Views | null,
  typed: NonNullable<ReturnType<typeof readTyped>>,
  isJson: boolean,
): Promise<number> {
  const house = await openNumber(app, views, typed);
  const { explainNumber } = await import('../../../fleet/explain-number.ts');
  try {
    const explained = await explainNumber(house, await house.forge.whoAmI(), typed.number);
    if (isJson) app.terminal.printJson(explained);
    else printNumber(app, explained);
    return 0;
  } catch (error) {
    if (!isGatewrightError(error, 'forge-not-found') || typed.repository !== null) throw error;
    const others = (await findElsewhere(views, typed.number, null)).map(({ request }) => request.repository);
    const known = others.filter((name) => name !== house.repositoryName);
    if (known.length === 0) throw error;
    throw new GatewrightError('forge-not-found', error.message, {
      cause: error,
      hint: `Another repository has one: ${known.map((name) => `gatewright explain '${name}#${typed.number}'`).join(' or ')}`,
    });
  }
}

export const explain: Handler = async (app, given) => {
  const typed = given.args[0] ?? '';
  const isJson = given.flag('json');
  const records = await app.openViews();
  const number = readTyped(typed);
  // Without "#", which shells need quoted, it is a number if nothing else has that name.
  const isName =
    number !== null &&
    /^\d+$/u.test(typed) &&
    records !== null &&
    (await records.views.listRuns({ slugs: [typed] }, { limit: 1 })).length > 0;
  if (number !== null && !isName) {
    try {
      return await explainTyped(app, records?.views ?? null, number, isJson);
    } catch (error) {
      // What the ledger knows is better than nothing, as long as it is said what is missing.
      const [known] =
        records !== null && isGatewrightError(error, ...unasked)
          ? await findElsewhere(records.views, number.number, number.repository)
          : [];
      if (records === null || known === undefined) throw error;
      app.terminal.say(
        `The forge could not be asked (${escapeForLine((error as Error).message, 200)}). This is what the ledger knows.`,
      );
      await explainOneRun(app, known, isJson, [known, await records.views.listOpenGates(), records.leases]);
      return 0;
    }
  }
  if (records === null)
    throw new GatewrightError(
      'subject-not-found',
      `Gatewright knows nothing about "${typed}": the ledger has no entry yet.`,
    );
  const run = await findRunOf(records.views, typed, process.cwd());
  const about = isAgentRun(run) ? run.request.number : null;
  if (about !== null)
    return explainTyped(app, records.views, { repository: run.request.repository, number: about }, isJson);
  await explainOneRun(app, run, isJson, [run, await records.views.listOpenGates(), records.leases]);
  return 0;
};
