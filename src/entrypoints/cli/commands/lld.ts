/** `lld`: an issue becomes an approved low-level design. */

import { hidesText } from '../../../domain/drafts/issue-text.ts';
import { matchRequest } from '../../../domain/ledger/run.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { listDesigns } from '../../../workflows/authoring/lld/list-designs.ts';
import { readIssueSource } from '../../../workflows/authoring/run-source.ts';
import { runAuthoring } from '../run-authoring.ts';
import type { Handler } from '../table/command.ts';
import { readIssueNumber } from './forge/issue-number.ts';

export const runLld: Handler = async (app, given) => {
  const [typed] = given.args;
  if ((typed === undefined) === (given.text('resume') === null))
    throw new GatewrightError('usage', 'Give the number of an issue, or --resume with a run.');
  return runAuthoring(app, given, {
    workflow: 'lld',
    readSource: async (house) => {
      const source = await readIssueSource(house, readIssueNumber(typed), {
        slug: given.text('slug'),
        contextFiles: given.texts('context'),
        again: given.flag('again'),
      });
      if (hidesText(source.text)) {
        app.terminal.say(
          `${app.terminal.style('yellow', 'Note:')} The issue contains text that its page does not show (comments or invisible characters). The drafter gets it as data; read it with care.`,
        );
      }
      return source;
    },
  });
};

const standings = {
  current: 'approved',
  stale: 'stale: the issue was changed since',
  edited: 'approved, but its file was changed since',
  gone: 'approved, but its file is gone',
  unknown: 'approved; the issue cannot be read',
} as const;

export const showDesigns: Handler = async (app, given) => {
  const house = await app.openHouse(given.text('repo'));
  const designs = await listDesigns(house);
  if (given.flag('json')) {
    app.terminal.printJson(designs);
    return 0;
  }
  const filter = { repository: house.repositoryName, workflows: ['lld'], doneSince: 'never' } as const;
  const open = (await house.views.listRuns(filter)).filter(({ request }) => !request.dryRun);
  if (designs.length + open.length === 0) {
    app.terminal.say('No issue of this repository has an approved design yet.');
    return 0;
  }
  for (const { id, reason, status, request } of open) {
    const why = escapeForLine(reason?.message ?? status, 200);
    const issue = matchRequest(request, {
      authoring: ({ brief }) => brief,
      agent: () => '',
      loop: () => '',
      pipeline: () => '',
    });
    app.terminal.print(`${issue}  not approved yet: ${why}  (run ${id}; gatewright explain ${id})`);
  }
  for (const design of designs) {
    app.terminal.print(
      `#${design.issue}  ${standings[design.standing]}  ${design.path}  (by ${escapeForLine(design.approvedBy)}, reviewed by ${escapeForLine(design.reviewer)}, ${design.approvedAt.slice(0, 10)})`,
    );
    if (design.standing === 'stale')
      app.terminal.print(`      make a new one with: gatewright lld ${design.issue}`);
  }
  return 0;
};
