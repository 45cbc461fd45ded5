/** `feedback`: what a bug report should hold, and nothing that is known to this machine only. It sends nothing. */
import { knownVariables, settingRules } from '../../../config/setting-rules.ts';
import { escapeForTerminal } from '../../../domain/text/untrusted-text.ts';
import type { RunFilter } from '../../../ports/ledger.ts';
import { machineChecks } from '../../../setup/checkup/machine-checks.ts';
import { runCheckup } from '../../../setup/checkup/run-checkup.ts';
import { serviceChecks } from '../../../setup/checkup/service-checks.ts';
import { redactData, redactEntryKind, redactFinding } from '../../../setup/feedback/redact-report.ts';
import type { App } from '../app.ts';
import type { Handler } from '../table/command.ts';

/** Which run is meant: the one that is named, else the last of this repository; outside of one, the last of all. */
async function chooseRun(app: App, wanted: string | null, repository: string | null): Promise<RunFilter> {
  if (wanted !== null) return { idPrefix: wanted };
  const root = await app.findRoot(repository).catch(() => null);
  return root === null ? {} : { root };
}

async function describeRun(app: App, wanted: string | null, repository: string | null) {
  const records = await app.openRecords('look').catch(() => null);
  if (records === null) return null;
  const [run] = await records.views.listRuns(await chooseRun(app, wanted, repository), { limit: 1 });
  if (run === undefined) return null;
  const began = new Date(run.startedAt).getTime();
  const entries = (await records.ledger.readRun(run.id)).map(({ kind, at, data }) => ({
    seconds: Math.round((new Date(at).getTime() - began) / 100) / 10,
    kind: redactEntryKind(kind),
    data: redactData(data),
  }));
  return {
    ...redactData({ workflow: run.request.workflow, status: run.status, reason: run.reason }),
    entries,
  };
}

const ownNames = [...settingRules.map(({ key }) => key), ...knownVariables];

export const runFeedback: Handler = async (app, given) => {
  const { terminal } = app;
  const world = await app.openCheckup(given.text('repo'));
  terminal.wait('checking this machine');
  const findings = await runCheckup([...machineChecks, ...serviceChecks], world, () => undefined);
  terminal.endWait();
  const report = {
    gatewright: app.version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    doctor: findings.map((finding) => redactFinding(finding, ownNames)),
    run: await describeRun(app, given.args[0] ?? null, given.text('repo')),
  };
  if (given.flag('json')) {
    terminal.printJson(report);
    return 0;
  }
  terminal.printExactly(escapeForTerminal(`\`\`\`json\n${JSON.stringify(report, null, 1)}\n\`\`\``));
  terminal.say(
    'It holds versions, numbers and words of Gatewright only: no texts, paths, names or commands. Read it before you send it. Nothing was sent.',
  );
  return 0;
};
