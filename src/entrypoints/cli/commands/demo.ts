/** `demo`: an idea becomes a filed issue in a new folder, with recorded models, on the local forge. */
import { join } from 'node:path';
import { readBriefSource } from '../../../dispatch/run-source.ts';
import { startRun } from '../../../dispatch/start-run.ts';
import type { Handler } from '../command.ts';
import { exitCodeOfStatus } from '../exit-codes.ts';
import { block, makeProgressView } from '../progress-view.ts';

export const runDemo: Handler = async (app, given) => {
  const { terminal } = app;
  const demo = await app.prepareDemo();
  const inside = app.withDatabase(demo.database, {
    GATEWRIGHT_ACTOR: 'demo',
    GATEWRIGHT_FORGE: 'local',
    // It has settings of its own: whatever is in yours, it runs.
    XDG_CONFIG_HOME: demo.folder,
  });
  const house = await inside.openHouse(demo.repository);
  block(
    terminal,
    terminal.style('bold', 'Gatewright demo: an idea becomes a filed issue'),
    'The models are recorded: their answers come from a cassette file, nothing is',
    'called and nothing is paid. Git, the database, the files, the checks, the gates',
    'and the forge (a local one) are real.',
  );
  terminal.say(`Repository: ${demo.repository}`);
  terminal.say(`Idea:       ${demo.brief}\n`);
  const outcome = await startRun(
    house,
    {
      source: await readBriefSource(house, join(demo.repository, demo.brief), null),
      dryRun: false,
      settleCollision: async () => ({ do: 'abort' }),
      onStart: (run) => terminal.say(`Run: ${run.id}`),
    },
    {
      mode: { auto: true, testMode: false, strict: false },
      maxIterations: null,
      needsEditor: false,
      independenceWaiver: null,
      drafter: `cassette:${demo.cassette}`,
      reviewer: `cassette:${demo.cassette}`,
      decide: async () => null,
      preview: async () => undefined,
      progress: makeProgressView(terminal, 'the local forge', 'issue'),
    },
  );
  if (outcome?.result == null) return 1;
  const number = outcome.result.number;
  const done = `docs/lineage/done/${number}-${outcome.run.request.slug}`;
  if (given.flag('json')) {
    terminal.printJson({
      ...demo,
      run: outcome.run.id,
      issue: outcome.result,
      lineage: join(demo.repository, done),
    });
    return 0;
  }
  const database = `--database ${demo.database}`;
  terminal.say();
  block(terminal, terminal.style(['green', 'bold'], `Done: the idea is issue #${number}`));
  terminal.print(`Where everything is
  the folder          ${demo.folder}
  the audit trail     ${join(demo.repository, done)}
  the commit          git -C ${demo.repository} show --stat
  the database        ${demo.database}

What to try next (from this folder; with Gatewright installed, leave out "npx")
  the issue           npx gatewright forge issue view ${number} --repo ${demo.repository} ${database}
  why it is there     npx gatewright explain '#${number}' ${database}
  every step          npx gatewright runs show ${outcome.run.id} ${database}
  prove the record    npx gatewright ledger verify ${database}
  your own idea       npx gatewright issue --brief my-notes.md --repo YOUR-REPOSITORY`);
  return exitCodeOfStatus(outcome.status);
};
