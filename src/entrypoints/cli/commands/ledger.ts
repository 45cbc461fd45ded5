/** `ledger show` and `ledger verify`. */

import { shortHash } from '../../../domain/ledger/hash.ts';
import { countOf } from '../../../domain/text/count-of.ts';
import { GatewrightError } from '../../../errors.ts';
import { findRunOf } from '../../../runs/explain-subject.ts';
import type { Records } from '../../../runs/house.ts';
import { verifyCommitted } from '../../../workflows/authoring/verify-committed.ts';
import type { Handler } from '../table/command.ts';
import { summariseEntry } from '../views/entry-summary.ts';

async function subjectOf(records: Records, typed: string): Promise<string> {
  const subjects = await records.ledger.listSubjects();
  return subjects.includes(typed) ? typed : (await findRunOf(records.views, typed, process.cwd())).subject;
}

export const showLedger: Handler = async (app, given) => {
  const records = await app.openRecords('look');
  const subject = await subjectOf(records, given.args[0] ?? '');
  const entries = await records.ledger.readSubject(subject);
  if (given.flag('json')) {
    // One entry a line, so that a long chain can be piped.
    for (const entry of entries) app.terminal.printJsonLine(entry);
    return 0;
  }
  app.terminal.print(`Ledger of ${subject}: ${countOf(entries.length, 'entry', 'entries')}`);
  for (const entry of entries) {
    app.terminal.print(
      `${String(entry.seq).padStart(4)}  ${entry.at}  ${shortHash(entry.hash)}  ${summariseEntry(entry)}`,
    );
  }
  return 0;
};

export const verifyLedger: Handler = async (app, given) => {
  const records = await app.openRecords(given.flag('projections') ? 'write' : 'look');
  const rebuilt = given.flag('projections') ? await records.ledger.rebuildProjections() : 0;
  if (rebuilt > 0)
    app.terminal.say(
      `The projections differed from the ledger in ${rebuilt} ${rebuilt === 1 ? 'place' : 'places'} and were rebuilt from it.`,
    );
  const typed = given.args[0];
  const subject = typed === undefined ? undefined : await subjectOf(records, typed);
  const chains = await records.ledger.verify(subject);
  // What was committed is looked at once the entries can be read.
  const committed =
    chains.problems.length > 0 ? [] : await verifyCommitted(records, await app.openCommittedFiles(), subject);
  const report = { ...chains, problems: [...chains.problems, ...committed] };
  if (given.flag('json')) app.terminal.printJson(report);
  else if (report.problems.length === 0) {
    app.terminal.print(
      `Sound: ${countOf(report.entries, 'entry', 'entries')} about ${countOf(report.subjects, 'subject')}, every link checked.`,
    );
  } else {
    for (const { subject: about, seq, kind, problem, explanation } of report.problems) {
      app.terminal.print(
        about === ''
          ? `${problem}: ${explanation}`
          : `${about} entry ${seq}${kind === '' ? '' : ` (${kind})`}: ${problem}: ${explanation}`,
      );
    }
  }
  if (report.problems.length > 0) {
    if (given.flag('json')) return 1;
    throw new GatewrightError(
      'ledger-broken',
      `${report.problems.length} ${report.problems.length === 1 ? 'place' : 'places'} in the ledger cannot be trusted.`,
    );
  }
  return 0;
};
