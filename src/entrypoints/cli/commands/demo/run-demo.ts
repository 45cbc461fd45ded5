/**
 * `demo`: an idea becomes a filed issue and then merged code, and another issue is worked off task by task; in a new
 * folder, with recorded models, on the local forge.
 */
import { join } from 'node:path';
import type { PullRequest } from '../../../../ports/forge/forge.ts';
import { noDialogue } from '../../../../runs/gates/resolve-gate.ts';
import type { House } from '../../../../runs/house.ts';
import { readBriefSource } from '../../../../workflows/authoring/run-source.ts';
import { startRun } from '../../../../workflows/authoring/start-run.ts';
import type { App } from '../../app.ts';
import type { Handler } from '../../table/command.ts';
import { block, makeProgressView } from '../../views/progress-view.ts';
import { letAgentsWork } from './let-agents-work.ts';
import { type LoopOfDemo, workOffIssue } from './work-off-issue.ts';

type Demo = Awaited<ReturnType<App['prepareDemo']>>;
type Part = 'authoring' | 'fleet' | 'loop';

interface Authored {
  readonly run: string;
  readonly number: number;
  readonly url: string;
  readonly lineage: string;
}

/** The demo has settings of its own, so that it runs no matter what the user's settings are. */
function openInside(app: App, demo: Demo, cassette: string): App {
  return app.withDatabase(demo.database, {
    GATEWRIGHT_ACTOR: 'demo',
    GATEWRIGHT_FORGE: 'local',
    XDG_CONFIG_HOME: demo.folder,
    GATEWRIGHT_VERIFY: 'node --test',
    GATEWRIGHT_CODER: `cassette:${cassette}`,
    GATEWRIGHT_PLANNER: `cassette:${cassette}`,
    GATEWRIGHT_CODE_REVIEWER: `cassette:${cassette}`,
  });
}

async function author(app: App, house: House, demo: Demo): Promise<Authored | null> {
  const { terminal } = app;
  terminal.say(`Idea:       ${demo.brief}\n`);
  const outcome = await startRun(
    house,
    {
      source: await readBriefSource(house, join(demo.repository, demo.brief), null),
      dryRun: false,
      resolveCollision: async () => ({ do: 'abort' }),
      onStart: (run) => terminal.say(`Run: ${run.id}`),
    },
    {
      mode: { auto: true, testMode: false, strict: false },
      maxIterations: null,
      needsEditor: false,
      independenceWaiver: null,
      drafter: `cassette:${demo.cassette}`,
      reviewer: `cassette:${demo.cassette}`,
      dialogue: noDialogue,
      progress: makeProgressView(terminal, 'the local forge', 'issue'),
    },
  );
  if (outcome?.result == null) return null;
  const { number } = outcome.result;
  const lineage = join(demo.repository, `docs/lineage/done/${number}-${outcome.run.request.slug}`);
  return { run: outcome.run.id, ...outcome.result, lineage };
}

interface Shown {
  readonly demo: Demo;
  readonly repositoryName: string;
  readonly authored: Authored | null;
  readonly issue: number | null;
  readonly pull: PullRequest | null;
  readonly loop: LoopOfDemo | null;
}

/** Where everything is, and commands that look at it; only those that this demo has something to show for. */
function describePlaces({ demo, repositoryName, authored, issue, pull, loop }: Shown): string {
  const database = `--database ${demo.database}`;
  const place = `--repo ${demo.repository} ${database}`;
  const row = (about: string, text: string): string => `  ${about.padEnd(18)}  ${text}`;
  return [
    'Where everything is',
    row('the folder', demo.folder),
    ...(authored === null ? [] : [row('the audit trail', authored.lineage)]),
    row('the code', `git -C ${demo.repository} log`),
    row('the database', demo.database),
    '',
    'What to try next (from this folder; with Gatewright installed, leave out "npx")',
    ...(issue === null ? [] : [row('the issue', `npx gatewright forge issue view ${issue} ${place}`)]),
    ...(pull === null
      ? []
      : [row('the pull request', `npx gatewright forge pr view ${pull.number} ${place}`)]),
    ...(issue === null
      ? []
      : [row('why it is there', `npx gatewright explain '${repositoryName}#${issue}' ${database}`)]),
    ...(authored === null ? [] : [row('every step', `npx gatewright runs show ${authored.run} ${database}`)]),
    ...(loop === null ? [] : [row('the loop', `npx gatewright loop status ${loop.issue} ${place}`)]),
    row('prove the record', `npx gatewright ledger verify ${database}`),
    row('your own idea', 'npx gatewright issue --brief my-notes.md --repo YOUR-REPOSITORY'),
  ].join('\n');
}

const stateOf = (pull: PullRequest | null) =>
  pull === null ? null : { number: pull.number, state: pull.state, commit: pull.mergeCommit };

function describeDone({ issue, pull, loop }: Pick<Shown, 'issue' | 'pull' | 'loop'>): string {
  const parts = [
    ...(issue === null
      ? []
      : [`the idea is issue #${issue}${pull === null ? '' : ', and its code is merged'}`]),
    ...(loop === null ? [] : [`issue #${loop.issue} was worked off in two tasks, and is merged`]),
  ];
  return `Done: ${parts.join('; ')}`;
}

/** The issue that the agents implement: the filed idea, or the idea as it is when nothing was authored. */
async function findIssue(house: House, demo: Demo, authored: Authored | null): Promise<number> {
  if (authored !== null) return authored.number;
  return (await house.forge.createIssue(house.repositoryName, { ...demo.idea, labels: [] })).number;
}

export const runDemo: Handler = async (app, given) => {
  const { terminal } = app;
  const only = given.text('only') as Part | null;
  const shows = (part: Part): boolean => only === null || only === part;
  const demo = await app.prepareDemo();
  const inside = openInside(app, demo, demo.fleetCassette);
  const house = await inside.openHouse(demo.repository);
  block(
    terminal,
    terminal.style('bold', 'Gatewright demo: an idea becomes a filed issue, then merged code'),
    'The models are recorded: their answers come from a cassette file, nothing is',
    'called and nothing is paid. Git, the database, the files, the tests, the checks,',
    'the gates and the forge (a local one) are real.',
  );
  terminal.say(`Repository: ${demo.repository}`);
  const authored = shows('authoring') ? await author(inside, house, demo) : null;
  if (shows('authoring') && authored === null) return 1;
  const issue = only === 'loop' ? null : await findIssue(house, demo, authored);
  const pull =
    issue !== null && shows('fleet') ? await letAgentsWork(inside, house, demo.repository, issue) : null;
  const loop = shows('loop')
    ? await workOffIssue(openInside(app, demo, demo.loopCassette), house, demo.repository, demo.loopIssue)
    : null;
  const wanted = [...(shows('fleet') ? [pull] : []), ...(loop === null ? [] : [loop.pull])];
  const isMerged = wanted.every((one) => one?.state === 'merged');
  const { idea: _, loopIssue: __, ...places } = demo;
  if (given.flag('json')) {
    terminal.printJson({
      ...places,
      run: authored?.run ?? null,
      issue: authored === null ? null : { number: authored.number, url: authored.url },
      pullRequest: stateOf(pull),
      loop: loop === null ? null : { issue: loop.issue, pullRequest: stateOf(loop.pull) },
      lineage: authored?.lineage ?? null,
    });
    return isMerged ? 0 : 1;
  }
  terminal.say();
  block(
    terminal,
    isMerged
      ? terminal.style(['green', 'bold'], describeDone({ issue, pull, loop }))
      : terminal.style('red', 'Not all of the code was merged: see above why'),
  );
  terminal.print(describePlaces({ demo, repositoryName: house.repositoryName, authored, issue, pull, loop }));
  return isMerged ? 0 : 1;
};
