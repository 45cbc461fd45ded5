/** The loop of the demo: an issue is planned as two tasks, each is proven, and the whole is tested, closed and merged. */
import type { GateQuestion } from '../../../../domain/drafts/gate.ts';
import { labelNames } from '../../../../domain/forge/labels.ts';
import type { PullRequest } from '../../../../ports/forge/forge.ts';
import type { Dialogue } from '../../../../runs/gates/resolve-gate.ts';
import type { House } from '../../../../runs/house.ts';
import { findLoop, resumeLoop, startLoop } from '../../../../workflows/loop/drive-loop.ts';
import type { App } from '../../app.ts';
import { makeLoopView } from '../../views/loop-view.ts';
import { block } from '../../views/progress-view.ts';
import { handleAll } from './let-agents-work.ts';

/** What the person of the demo answers at each gate; at any other the loop stops. */
const answers: Readonly<Partial<Record<GateQuestion['kind'], readonly [choice: string, words: string]>>> = {
  plan: ['approve', 'A person reads the plan and approves it: its commands may be run, and no others'],
  work: ['loop', 'A person says: one task after the other'],
  testing: ['works', 'A person tests the branch and says: works'],
  close: ['close', 'A person closes the loop: report, archive, pull request'],
  merge: ['check', ''],
};

function makeDialogue(
  say: (text: string) => void,
  app: App,
  kinds: readonly GateQuestion['kind'][],
): Dialogue {
  // Each gate is answered once: what comes again is for a person who looks.
  const open = new Set(kinds);
  return {
    look: null,
    confirm: async () => false,
    decide: async ({ kind, artefacts }) => {
      const [choice, words] = (open.delete(kind) ? answers[kind] : undefined) ?? [];
      if (choice === undefined) return null;
      if (words !== '') say(app.terminal.style('bold', `    ${words}`));
      return { choice, shown: Object.fromEntries(artefacts.map(({ name, hash }) => [name, hash])) };
    },
  };
}

/** The code was reviewed; a person says that it may be merged, and the agents see to the rest. Returns its number. */
async function letMerge(app: App, person: House, house: House, own: string): Promise<number | null> {
  const { terminal } = app;
  const [pull] = await house.forge.listPullRequests(house.repositoryName, { state: 'open', author: own });
  if (pull === undefined) return null;
  const { autoMerge, needsReview } = labelNames;
  terminal.say(terminal.style('bold', `    A person labels pull request #${pull.number} "${autoMerge}"`));
  await person.forge.editIssue(person.repositoryName, pull.number, {
    addLabels: [autoMerge],
    removeLabels: [needsReview],
  });
  await handleAll(app, house);
  return pull.number;
}

export interface LoopOfDemo {
  readonly issue: number;
  readonly pull: PullRequest | null;
}

export async function workOffIssue(
  app: App,
  person: House,
  repository: string,
  issue: { readonly title: string; readonly body: string },
): Promise<LoopOfDemo> {
  const { terminal } = app;
  const house = await app.openHouse(repository, { forge: null, name: null, asAgent: true });
  const { number } = await person.forge.createIssue(person.repositoryName, { ...issue, labels: [] });
  terminal.say();
  block(
    terminal,
    terminal.style('bold', `The loop: issue #${number} is worked off task by task`),
    'Each task gets an agent that knows only its task. What it says counts for nothing:',
    'Gatewright runs the commands of the approved plan on a clean copy.',
  );
  const own = await house.forge.whoAmI();
  const view = makeLoopView(terminal);
  const optionsFor = (...kinds: GateQuestion['kind'][]) => ({
    ...{ own, person: app.config.actor, progress: view.progress },
    dialogue: makeDialogue(view.say, app, kinds),
  });
  try {
    await startLoop(house, { number, isQuick: true }, optionsFor('plan', 'work', 'testing', 'close'));
  } finally {
    view.close();
  }
  await handleAll(app, house);
  const made = await letMerge(app, person, house, own);
  // The agents end the loop when they see the merge; where they did not, the person does.
  const run = await findLoop(house, number);
  if (run !== null) await resumeLoop(house, run, optionsFor('merge'));
  const pull = made === null ? null : await house.forge.getPullRequest(house.repositoryName, made);
  return { issue: number, pull };
}
