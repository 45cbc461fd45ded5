/** `demo`: an idea becomes a filed issue and then merged code in a new folder, with recorded models, on the local forge. */
import { join } from 'node:path';
import { handleFeed } from '../../../fleet/handle-event.ts';
import type { PullRequest } from '../../../ports/forge/forge.ts';
import { noDialogue } from '../../../runs/gates/resolve-gate.ts';
import type { House } from '../../../runs/house.ts';
import { readBriefSource } from '../../../workflows/authoring/run-source.ts';
import { startRun } from '../../../workflows/authoring/start-run.ts';
import type { App } from '../app.ts';
import { exitCodeOfStatus } from '../exit-codes.ts';
import type { Handler } from '../table/command.ts';
import { makeFleetView } from '../views/fleet-view.ts';
import { block, makeProgressView } from '../views/progress-view.ts';

/** A person asks for it in a comment; the agents do everything after that. */
async function letAgentsWork(
  app: App,
  person: House,
  repository: string,
  issue: number,
): Promise<PullRequest | null> {
  const { terminal } = app;
  const house = await app.openHouse(repository, { forge: null, name: null, asAgent: true });
  const words = `@${house.fleet.handle} please implement this.`;
  terminal.say();
  block(terminal, terminal.style('bold', `The agents: a person comments "${words}"`));
  await person.forge.createComment(person.repositoryName, issue, words);
  const view = makeFleetView(terminal);
  const own = await house.forge.whoAmI();
  await handleFeed(house, { ...view.session, own }, view.showEvent);
  view.close();
  const [pull] = await house.forge.listPullRequests(house.repositoryName, { state: 'all', author: own });
  return pull ?? null;
}

export const runDemo: Handler = async (app, given) => {
  const { terminal } = app;
  const demo = await app.prepareDemo();
  const inside = app.withDatabase(demo.database, {
    GATEWRIGHT_ACTOR: 'demo',
    GATEWRIGHT_FORGE: 'local',
    // The demo has settings of its own, so that it runs no matter what the user's settings are.
    XDG_CONFIG_HOME: demo.folder,
    GATEWRIGHT_VERIFY: 'node --test',
    GATEWRIGHT_CODER: `cassette:${demo.fleetCassette}`,
    GATEWRIGHT_CODE_REVIEWER: `cassette:${demo.fleetCassette}`,
  });
  const house = await inside.openHouse(demo.repository);
  block(
    terminal,
    terminal.style('bold', 'Gatewright demo: an idea becomes a filed issue, then merged code'),
    'The models are recorded: their answers come from a cassette file, nothing is',
    'called and nothing is paid. Git, the database, the files, the tests, the checks,',
    'the gates and the forge (a local one) are real.',
  );
  terminal.say(`Repository: ${demo.repository}`);
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
  if (outcome?.result == null) return 1;
  const number = outcome.result.number;
  const done = `docs/lineage/done/${number}-${outcome.run.request.slug}`;
  const pull = await letAgentsWork(inside, house, demo.repository, number);
  if (given.flag('json')) {
    terminal.printJson({
      ...demo,
      run: outcome.run.id,
      issue: outcome.result,
      pullRequest:
        pull === null ? null : { number: pull.number, state: pull.state, commit: pull.mergeCommit },
      lineage: join(demo.repository, done),
    });
    return 0;
  }
  const database = `--database ${demo.database}`;
  terminal.say();
  const isMerged = pull?.state === 'merged';
  block(
    terminal,
    isMerged
      ? terminal.style(['green', 'bold'], `Done: the idea is issue #${number}, and its code is merged`)
      : terminal.style('red', `The idea is issue #${number}; its code was not merged`),
  );
  terminal.print(`Where everything is
  the folder          ${demo.folder}
  the audit trail     ${join(demo.repository, done)}
  the code            git -C ${demo.repository} show
  the database        ${demo.database}

What to try next (from this folder; with Gatewright installed, leave out "npx")
  the issue           npx gatewright forge issue view ${number} --repo ${demo.repository} ${database}
  the pull request    npx gatewright forge pr view ${pull?.number ?? ''} --repo ${demo.repository} ${database}
  why it is there     npx gatewright explain '${house.repositoryName}#${number}' ${database}
  every step          npx gatewright runs show ${outcome.run.id} ${database}
  prove the record    npx gatewright ledger verify ${database}
  your own idea       npx gatewright issue --brief my-notes.md --repo YOUR-REPOSITORY`);
  return isMerged ? exitCodeOfStatus(outcome.status) : 1;
};
