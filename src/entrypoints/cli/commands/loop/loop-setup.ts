/** `loop setup`: labels, issue form and configuration of the loop; only what is missing is made. */
import type { ForgeKind } from '../../../../config/read-config.ts';
import { loopStages } from '../../../../domain/forge/label-table.ts';
import { labelNames } from '../../../../domain/forge/labels.ts';
import { performSetup, planSetup } from '../../../../setup/set-up-repository.ts';
import { loopConfigPath } from '../../../../workflows/loop/rules/paths.ts';
import type { Handler } from '../../table/command.ts';
import { planAsJson, showPlan } from '../../views/setup-view.ts';

const formPath = '.github/ISSUE_TEMPLATE/ai-loop.yml';

/** What people most often change; everything that is not here has its default. */
const config = {
  branchPrefix: 'ai/issue-',
  archiveLocation: 'archive/',
  maxTaskAttempts: 3,
  maxDebugAttempts: 3,
  summaryEveryNTaskLogs: 5,
  wispDefaultTtlMinutes: 90,
  execution: { gateMode: 'enforce', verify: { commandTimeoutSeconds: 600 } },
};

const form = `name: Work for the loop
description: Something that can be planned as tasks and proven by commands
labels: ["${labelNames.loop}"]
body:
  - type: textarea
    id: what
    attributes:
      label: What should be different?
      description: And why. What happens today, and what should happen instead.
    validations:
      required: true
  - type: textarea
    id: where
    attributes:
      label: Where?
      description: Files, commands, pages or addresses that it is about.
  - type: textarea
    id: scope
    attributes:
      label: What is not part of it?
  - type: textarea
    id: acceptance
    attributes:
      label: How can a program see that it is done?
      description: Commands that have to succeed, requests and their answers, tests by their names.
    validations:
      required: true
`;

export const setUpLoop: Handler = async (app, given) => {
  const { terminal } = app;
  const forge = given.text('forge') as ForgeKind | null;
  const house = await app.openHouse(given.text('repo'), { forge, name: null });
  const plan = await planSetup(house, {
    files: [
      { path: loopConfigPath, content: `${JSON.stringify(config, null, 2)}\n` },
      { path: formPath, content: form },
    ],
    labels: loopStages.map(({ name, colour, description }) => ({ name, colour, description })),
  });
  const place = { repository: house.repositoryName, root: house.repository.root, forge: house.forge.kind };
  const isMaking = plan.isNeeded && !given.flag('dry-run');
  if (!given.flag('json')) await showPlan(terminal, plan, place);
  if (isMaking) await performSetup(house, plan, () => undefined);
  if (given.flag('json')) terminal.printJson({ changed: isMaking, ...place, ...planAsJson(plan) });
  else if (isMaking) terminal.say('Made. Commit the files, then run: gatewright loop plan NUMBER');
  else terminal.say(plan.isNeeded ? 'Dry run: nothing was changed.' : 'Nothing to do.');
  return 0;
};
