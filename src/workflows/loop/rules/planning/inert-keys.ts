/**
 * Keys of `.issueloop.config.json` that the tools of the workflow know and the loop does not use. A file that holds them
 * with another value than the default is read, and the person is told that they change nothing.
 */
import { canonicalJson, type Json } from '../../../../domain/ledger/hash.ts';
import { type JsonProblem, showPath } from '../../../documents/json-tree.ts';
import { loopDefaults } from './loop-config-defaults.ts';

/** Each with the reason. */
const inertKeys: readonly (readonly [path: string, why: string])[] = [
  ['labels', 'the labels of the loop have fixed names'],
  ['review', 'pull requests are reviewed as the settings of Gatewright say'],
  ['commentPrefixes.codeReview', 'the loop writes no such comment'],
  ['commentPrefixes.reviewApproval', 'the loop writes no such comment'],
  ['commentPrefixes.patterns', 'the loop writes no such comment'],
  ['commentPrefixes.browserVerification', 'the loop writes no such comment'],
  [
    'execution.contextManifest',
    'Gatewright takes the hash of what an agent is told itself, and it is always in the log',
  ],
  ['execution.eventEvidence', 'Gatewright writes the log itself'],
  ['execution.verify.runFullVerifyBeforeTestingCheckpoint', 'all commands are always run before testing'],
  ['execution.browserVerification', 'only commands of the approved plan prove a task'],
  ['execution.replan.autoApplyIfSingleTask', 'a person approves every plan'],
  ['execution.context.maxReviewLogs', 'the loop reads no review logs'],
];

function valueAt(fields: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = fields;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
      return undefined;
    value = (value as { readonly [key: string]: Json })[key];
  }
  return value;
}

/** Whether all that is given has the value of the default. A key that no default has is told as unknown. */
function isDefault(given: Json, base: Json): boolean {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return given === null || canonicalJson(given) === canonicalJson(base);
  return Object.entries(given).every(([key, value]) => {
    const known = valueAt(base, [key]);
    return known === undefined || isDefault(value, known);
  });
}

export function findInert(given: Json): JsonProblem[] {
  return inertKeys.flatMap(([name, why]) => {
    const path = name.split('.');
    const value = valueAt(given, path);
    const base = valueAt(loopDefaults, path);
    if (value === undefined || (base !== undefined && isDefault(value, base))) return [];
    return [{ path: showPath(path), message: `has no effect: ${why}` }];
  });
}
