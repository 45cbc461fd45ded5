/** `feedback`: what a bug report should hold, without what belongs to nobody else. It sends nothing. */
import { homedir } from 'node:os';
import { escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import { machineChecks } from '../../../setup/checkup/machine-checks.ts';
import { runCheckup } from '../../../setup/checkup/run-checkup.ts';
import { serviceChecks } from '../../../setup/checkup/service-checks.ts';
import { type Known, redactData, redactText } from '../../../setup/feedback/redact-report.ts';
import type { App } from '../app.ts';
import type { Given, Handler } from '../table/command.ts';

/** Of the last run, or of the one that is named. */
async function describeRun(app: App, wanted: string | null) {
  const records = await app.openRecords('look').catch(() => null);
  if (records === null) return null;
  const [run] = await records.views.listRuns(wanted === null ? {} : { idPrefix: wanted }, { limit: 1 });
  if (run === undefined) return null;
  const began = new Date(run.startedAt).getTime();
  const entries = (await records.ledger.readRun(run.id)).map(({ kind, at, data }) => ({
    seconds: Math.round((new Date(at).getTime() - began) / 100) / 10,
    kind,
    ...redactData(data),
  }));
  return { workflow: run.request.workflow, status: run.status, reason: run.reason?.code ?? null, entries };
}

async function readKnown(app: App, given: Given): Promise<Known> {
  const root = await app.findRoot(given.text('repo')).catch(() => null);
  const views = await app.openViews().catch(() => null);
  const names =
    (await views?.views.listRuns({}, { limit: 50 }))?.map(({ request }) => request.repository) ?? [];
  return {
    replacements: [
      [homedir(), '~'],
      [app.config.actor, 'PERSON'],
      ...(root === null ? [] : ([[root, 'REPOSITORY']] as const)),
      ...[...new Set(names)].map((name) => [name, 'OWNER/NAME'] as const),
    ],
  };
}

export const runFeedback: Handler = async (app, given) => {
  const { terminal } = app;
  const known = await readKnown(app, given);
  const world = await app.openCheckup(given.text('repo'));
  terminal.wait('checking this machine');
  const findings = await runCheckup([...machineChecks, ...serviceChecks], world, () => undefined);
  terminal.endWait();
  const report = {
    gatewright: app.version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    doctor: findings.map(({ state, name, detail }) => ({ state, name, detail: redactText(detail, known) })),
    run: await describeRun(app, given.args[0] ?? null),
  };
  if (given.flag('json')) {
    terminal.printJson(report);
    return 0;
  }
  terminal.printExactly(escapeForTerminal(`\`\`\`json\n${JSON.stringify(report, null, 1)}\n\`\`\``));
  terminal.say(
    'Read it before you send it: texts, paths, names and tokens are left out as far as Gatewright knows them. Nothing was sent.',
  );
  return 0;
};
