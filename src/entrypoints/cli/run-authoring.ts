/** What the commands of all authoring workflows have in common: options, dialogue, resuming, the report at the end. */
import { join, resolve } from 'node:path';
import { doneFolder } from '../../domain/drafts/lineage.ts';
import { type AuthoringWorkflow, resumeCommandOf } from '../../domain/ledger/run.ts';
import { escapeForLine } from '../../domain/text/untrusted-text.ts';
import { GatewrightError, isGatewrightError } from '../../errors.ts';
import { findRunsById, findRunToResume } from '../../runs/find-run.ts';
import type { House } from '../../runs/house.ts';
import type { ResolveCollision } from '../../workflows/authoring/choose-name.ts';
import { loadGraph, type RunOptions, type RunOutcome } from '../../workflows/authoring/drive-run.ts';
import type { RunSource } from '../../workflows/authoring/run-source.ts';
import { resumeRun, type StartInput, startRun } from '../../workflows/authoring/start-run.ts';
import type { App } from './app.ts';
import { accessErrors, exitCodeOfStatus } from './exit-codes.ts';
import { openHouseOf } from './open-house.ts';
import type { Given } from './table/command.ts';
import { type InterruptNote, tellInterrupted } from './tell-interrupted.ts';
import { makeDialogue } from './views/gate-dialogue.ts';
import { reportOutcome } from './views/outcome-view.ts';
import { block, makeProgressView } from './views/progress-view.ts';
import { rule, type Terminal } from './views/terminal.ts';

const workflowTitles = { issue: 'Issue Creation Workflow', lld: 'Design Workflow' } as const;

/** What a person may do when the short name is in use; `fixed` is what --on-collision says. */
function makeCollisionDialogue(terminal: Terminal, fixed: string | null): ResolveCollision {
  let isFirst = true;
  return async ({ slug, canResume, resume, problem }) => {
    if (!terminal.isInteractive || fixed !== null) {
      if (fixed === null || !isFirst || problem !== null)
        throw new GatewrightError(
          'slug-taken',
          problem ?? `"${slug}" is already in use in docs/lineage/active/.`,
          resume === ''
            ? {}
            : {
                hint: `Continue with: ${resume}\nOr give it up with --on-collision clean, or take another name with --slug NAME.`,
              },
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
    throw new GatewrightError('usage', 'A dry run makes no files, so there is nothing to --record.');
  return file === null ? null : resolve(file);
}

/** What the options of an authoring run mean. */
export function makeOptions(app: App, house: House, given: Given, workflow: AuthoringWorkflow): RunOptions {
  // What is typed counts more than what is set.
  const auto = given.flag('auto') || (app.config.autoMode && !given.flag('strict'));
  const { testMode } = app.config;
  if (given.flag('auto') && given.flag('strict'))
    throw new GatewrightError('usage', '--auto and --strict contradict each other.');
  if (testMode && house.forge.kind !== 'local')
    throw new GatewrightError('test-mode-refused', 'Test mode works on the local forge only.');
  // A dry run asks no person: it shows where a person would be asked and goes on as auto mode would.
  const isUnattended = auto || testMode || given.flag('dry-run');
  return {
    mode: { auto: auto || given.flag('dry-run'), testMode, strict: given.flag('strict') && !isUnattended },
    maxIterations: given.count('max-iterations'),
    needsEditor: app.terminal.isInteractive && !isUnattended,
    independenceWaiver: given.text('waive-independence'),
    acceptsUnpriced: given.flag('accept-unpriced'),
    maySecondIssue: given.flag('second-issue'),
    drafter: given.text('drafter'),
    reviewer: given.text('reviewer'),
    record: recordFile(given),
    dialogue: makeDialogue(house, app.terminal, workflow),
    progress: makeProgressView(
      app.terminal,
      house.forge.kind === 'local' ? 'the local forge' : 'GitHub',
      workflow,
      isUnattended,
    ),
  };
}

function announce(
  app: App,
  { commandSuffix }: House,
  options: RunOptions,
  note: InterruptNote,
): StartInput['onStart'] {
  return (run, isResumed) => {
    const { terminal } = app;
    if (!run.request.dryRun) note.set(resumeCommandOf(run.request, run.id, commandSuffix));
    const resumed = isResumed ? ' (resumed)' : '';
    block(
      terminal,
      `${workflowTitles[run.request.workflow]}${resumed}${run.request.dryRun ? ' (dry run: nothing is changed)' : ''}`,
    );
    terminal.say(
      `${run.request.issue === undefined ? 'Brief' : 'Issue'}: ${escapeForLine(run.request.brief)}\nSlug: ${run.request.slug}\nRun: ${run.id}\n${rule}`,
    );
    const models = [options.drafter ?? run.request.drafter, options.reviewer ?? run.request.reviewer];
    if (models.every((model) => model.startsWith('builtin:'))) {
      terminal.say(
        'No model is used: the built-in outline drafts and the built-in checklist reviews.\n' +
          'To use models, name them with --drafter and --reviewer (or GATEWRIGHT_DRAFTER, GATEWRIGHT_REVIEWER, or run: gatewright init).',
      );
    } else if (models.some((model) => model.startsWith('cassette:'))) {
      terminal.say('Recorded answers are replayed (cassette): no model is called.');
    }
  };
}

/**
 * Whether the forge knows the person is one of the checks that a run begins with, and all of them end in the same way
 * (scenario 040: exit code 1), also where the answer comes before the run can begin.
 */
async function checkAccess<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    if (!isGatewrightError(error, ...accessErrors)) throw error;
    throw new GatewrightError('preflight-failed', 'The forge does not let you in.', {
      cause: error,
      details: [`forge: ${error.message} (${error.code}) — ${error.hint}`],
    });
  }
}

/**
 * A run that is named by its id is resumed in its own repository, wherever the person is; one that is named otherwise, in
 * the work tree of this repository that it works in.
 */
async function openHouse(app: App, given: Given): Promise<House> {
  const resumed = given.text('resume');
  if (resumed !== null && given.text('repo') === null) {
    const [run, another] = await findRunsById((await app.openRecords()).views, resumed);
    if (run !== undefined && another === undefined) return openHouseOf(app, run);
  }
  const house = await app.openHouse(given.text('repo'));
  if (resumed === null) return house;
  const run = await findRunToResume(house.views, house.repository, resumed);
  if (run.request.root === house.repository.root) return house;
  app.terminal.say(`This run works in ${escapeForLine(run.request.root, 1000)}`);
  return openHouseOf(app, run);
}

interface AuthoringCommand {
  readonly workflow: AuthoringWorkflow;
  /** Where a new run comes from; null when the person chose nothing. */
  readonly readSource: (house: House) => Promise<RunSource | null>;
}

/** A commit that no branch holds is lost as soon as another one is checked out. */
async function warnOfDetachedHead({ terminal }: App, house: House): Promise<void> {
  if ((await house.repository.currentBranch()) !== null) return;
  terminal.say(
    `${terminal.style('yellow', 'Note:')} No branch is checked out (detached HEAD). What this run commits is on no branch; check one out first with: git switch BRANCH`,
  );
}

async function begin(
  app: App,
  house: House,
  given: Given,
  command: AuthoringCommand,
  note: InterruptNote,
): Promise<RunOutcome | null> {
  const typed = given.text('resume');
  const resumed = typed === null ? null : await findRunToResume(house.views, house.repository, typed);
  const options = makeOptions(app, house, given, resumed?.request.workflow ?? command.workflow);
  const onStart = announce(app, house, options, note);
  if (resumed !== null) return resumeRun(house, resumed, options, onStart);
  await warnOfDetachedHead(app, house);
  const source = await command.readSource(house);
  if (source === null) return null;
  return startRun(
    house,
    {
      source,
      dryRun: given.flag('dry-run'),
      resolveCollision: makeCollisionDialogue(app.terminal, given.text('on-collision')),
      onMovedAside: ({ run, to }) =>
        app.terminal.say(`The files of the cancelled run ${run} are now in ${to}/`),
      onStart,
    },
    options,
  );
}

/** Starts or resumes a run and shows how it ended; resolves with the exit code. */
export async function runAuthoring(app: App, given: Given, command: AuthoringCommand): Promise<number> {
  if (given.text('resume') !== null && given.flag('dry-run')) {
    throw new GatewrightError('usage', '--dry-run shows a run from its beginning; it cannot resume one.');
  }
  const opening = openHouse(app, given);
  // Loading the workflow engine keeps this process busy. It begins when git has been started, and goes on while git runs.
  setImmediate(() => void loadGraph().catch(() => undefined));
  const house = await (given.text('resume') === null ? checkAccess(opening) : opening);
  const outcome = await tellInterrupted(app.terminal, (note) => begin(app, house, given, command, note));
  if (outcome === null) {
    if (given.flag('json')) app.terminal.printJson({ status: 'aborted' });
    app.terminal.say('Nothing was started.');
    return 0;
  }
  await reportOutcome(app, house, given, outcome);
  const { result, run } = outcome;
  const isQuiet = !app.terminal.isInteractive || result === null || run.request.dryRun;
  if (!isQuiet && (given.flag('auto') || app.config.autoMode)) {
    const shown = result.path ?? doneFolder(result.number, run.request.slug);
    await house.editor.show([join(house.repository.root, shown)]);
  }
  return exitCodeOfStatus(outcome.status);
}
