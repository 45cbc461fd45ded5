/** `issue`: a brief becomes a filed issue. */
import { join, resolve } from 'node:path';
import type { SettleCollision } from '../../../dispatch/choose-name.ts';
import { loadGraph, type RunOptions, type RunOutcome } from '../../../dispatch/drive-run.ts';
import { findRunsById, findRunToResume } from '../../../dispatch/find-run.ts';
import type { House } from '../../../dispatch/house.ts';
import { titleOf } from '../../../dispatch/read-brief.ts';
import { resumeRun, type StartInput, startRun } from '../../../dispatch/start-run.ts';
import { escapeForLine } from '../../../domain/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import type { App } from '../app.ts';
import type { Given, Handler } from '../command.ts';
import { exitCodeOfStatus } from '../exit-codes.ts';
import { makeDialogue, makePreview } from '../gate-dialogue.ts';
import { openHouseOf } from '../open-house.ts';
import { reportOutcome } from '../outcome-view.ts';
import { block, makeProgressView } from '../progress-view.ts';
import { rule, type Terminal } from '../terminal.ts';

async function selectIdea(house: House, terminal: Terminal, isTestMode: boolean): Promise<string | null> {
  const folder = 'ideas/active';
  const names = (await house.repository.listFolder(folder))
    .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
    .sort();
  if (names.length === 0) {
    throw new GatewrightError('brief-not-found', `There is no idea in ${folder}/.`, {
      hint: `Write one as ${folder}/my-idea.md and try again.`,
    });
  }
  if (isTestMode) return join(folder, names[0] ?? '');
  if (!terminal.isInteractive)
    throw new GatewrightError('usage', '--select needs a terminal; use --brief FILE.');
  block(terminal, `Select Idea from ${folder}/`);
  for (const [index, name] of names.entries()) {
    terminal.say(`  [${index + 1}] ${escapeForLine(name)}`);
    terminal.say(
      `      ${titleOf((await house.repository.readText(`${folder}/${name}`)) ?? '') ?? '(empty)'}`,
    );
  }
  terminal.say('\n  [q] Quit\n');
  const keys = names.map((_, index) => String(index + 1));
  for (;;) {
    const answer = ((await terminal.ask(`Select idea [1-${names.length}, q]: `)) ?? 'q').trim().toLowerCase();
    if (answer === 'q') return null;
    const index = keys.indexOf(answer);
    if (index >= 0) return join(folder, names[index] ?? '');
    terminal.say(`Please answer with a number from 1 to ${names.length}, or q.`);
  }
}

function makeCollisionDialogue(terminal: Terminal, fixed: string | null): SettleCollision {
  let isFirst = true;
  return async ({ slug, canResume, problem }) => {
    if (!terminal.isInteractive || fixed !== null) {
      if (fixed === null || !isFirst || problem !== null)
        throw new GatewrightError(
          'slug-taken',
          problem ?? `"${slug}" is already in use in docs/lineage/active/.`,
        );
      isFirst = false;
      return { do: fixed as 'resume' | 'clean' | 'abort' };
    }
    if (problem === null) terminal.say(`Slug '${slug}' already exists in active/`);
    else terminal.say(problem);
    const keys = canResume ? ['R', 'N', 'C', 'A'] : ['N', 'A'];
    terminal.say(
      canResume
        ? '[R]esume existing / [N]ew name / [C]lean (give up the old one) / [A]bort'
        : '[N]ew name / [A]bort',
    );
    const key = await terminal.choose('Your choice', keys);
    if (key === 'R') return { do: 'resume' };
    if (key === 'C') return { do: 'clean' };
    if (key === 'N') return { do: 'rename', slug: ((await terminal.ask('Enter new slug: ')) ?? '').trim() };
    return { do: 'abort' };
  };
}

function recordFile(given: Given): string | null {
  const file = given.text('record');
  if (file !== null && given.flag('dry-run'))
    throw new GatewrightError('usage', 'A dry run makes nothing, so there is nothing to --record.');
  return file === null ? null : resolve(file);
}

/** What the options of an authoring run mean. */
export function makeOptions(app: App, house: House, given: Given): RunOptions {
  // What is typed counts more than what is set.
  const auto = given.flag('auto') || (app.config.autoMode && !given.flag('strict'));
  const { testMode } = app.config;
  if (given.flag('auto') && given.flag('strict'))
    throw new GatewrightError('usage', '--auto and --strict contradict each other.');
  if (testMode && house.forge.kind !== 'local')
    throw new GatewrightError('test-mode-refused', 'Test mode works on the local forge only.');
  // A dry run asks nobody: it shows where a person would be asked and goes on as auto mode would.
  const isUnattended = auto || testMode || given.flag('dry-run');
  return {
    mode: { auto: auto || given.flag('dry-run'), testMode, strict: given.flag('strict') && !isUnattended },
    maxIterations: given.count('max-iterations'),
    needsEditor: app.terminal.isInteractive && !isUnattended,
    independenceWaiver: given.text('waive-independence'),
    drafter: given.text('drafter'),
    reviewer: given.text('reviewer'),
    record: recordFile(given),
    decide: makeDialogue(house, app.terminal),
    preview:
      app.terminal.isInteractive && !isUnattended ? makePreview(house, app.terminal) : async () => undefined,
    progress: makeProgressView(app.terminal, house.forge.kind === 'local' ? 'the local forge' : 'GitHub'),
  };
}

function announce(app: App, options: RunOptions): StartInput['onStart'] {
  return (run, isResumed) => {
    const { terminal } = app;
    const resumed = isResumed ? ' (resumed)' : '';
    block(
      terminal,
      `Issue Creation Workflow${resumed}${run.request.dryRun ? ' (dry run: nothing is changed)' : ''}`,
    );
    terminal.say(
      `Brief: ${escapeForLine(run.request.brief)}\nSlug: ${run.request.slug}\nRun: ${run.id}\n${rule}`,
    );
    const models = [options.drafter ?? run.request.drafter, options.reviewer ?? run.request.reviewer];
    if (models.every((model) => model.startsWith('builtin:'))) {
      terminal.say(
        'No model is used: the built-in outline drafts and the built-in checklist reviews.\n' +
          'To use models, name them with --drafter and --reviewer (or GATEWRIGHT_DRAFTER, GATEWRIGHT_REVIEWER).',
      );
    } else if (models.some((model) => model.startsWith('cassette:'))) {
      terminal.say('Recorded answers are replayed (cassette): no model is called.');
    }
  };
}

async function run(app: App, house: House, given: Given): Promise<RunOutcome | null> {
  const options = makeOptions(app, house, given);
  const onStart = announce(app, options);
  const resumed = given.text('resume');
  if (resumed !== null) {
    return resumeRun(house, findRunToResume(house.views, house.repository.root, resumed), options, onStart);
  }
  const picked =
    given.flag('select') || (app.config.testMode && given.text('brief') === null)
      ? await selectIdea(house, app.terminal, app.config.testMode)
      : given.text('brief');
  if (picked === null) return null;
  const brief = given.text('brief') === null ? join(house.repository.root, picked) : resolve(picked);
  return startRun(
    house,
    {
      brief,
      slug: given.text('slug'),
      dryRun: given.flag('dry-run'),
      settleCollision: makeCollisionDialogue(app.terminal, given.text('on-collision')),
      onStart,
    },
    options,
  );
}

/** A run that is named by its id is resumed in its own repository, wherever the person is. */
async function openHouse(app: App, given: Given): Promise<House> {
  const resumed = given.text('resume');
  if (resumed !== null && given.text('repo') === null) {
    const [run, another] = findRunsById((await app.openRecords()).views, resumed);
    if (run !== undefined && another === undefined) return openHouseOf(app, run);
  }
  return app.openHouse(given.text('repo'));
}

export const runIssue: Handler = async (app, given) => {
  const ways =
    ['brief', 'resume'].filter((name) => given.text(name) !== null).length + (given.flag('select') ? 1 : 0);
  if (ways > 1) throw new GatewrightError('usage', 'Give one of --brief, --select and --resume.');
  if (ways === 0 && !app.config.testMode)
    throw new GatewrightError('usage', 'Give one of --brief FILE, --select or --resume FILE.');
  if (given.text('resume') !== null && given.flag('dry-run')) {
    throw new GatewrightError('usage', '--dry-run shows a run from its beginning; it cannot resume one.');
  }
  void loadGraph().catch(() => undefined);
  const house = await openHouse(app, given);
  const outcome = await run(app, house, given);
  if (outcome === null) {
    if (given.flag('json')) app.terminal.printJson({ status: 'aborted' });
    app.terminal.say('Nothing was begun.');
    return 0;
  }
  await reportOutcome(app, house, given, outcome);
  const isQuiet = !app.terminal.isInteractive || outcome.result === null || outcome.run.request.dryRun;
  if (!isQuiet && (given.flag('auto') || app.config.autoMode)) {
    await house.editor.show([
      join(
        house.repository.root,
        'docs/lineage/done',
        `${outcome.result?.number}-${outcome.run.request.slug}`,
      ),
    ]);
  }
  return exitCodeOfStatus(outcome.status);
};
