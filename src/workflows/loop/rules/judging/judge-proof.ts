/** What the tests of an attempt have to show. Some findings fail it always; the rest as the gate mode says. */
import { escapeForLine } from '../../../../domain/text/untrusted-text.ts';
import { type Proof, ranNoTest } from '../../../../runs/coding/proof/rules/proof.ts';
import type { Weakened } from '../../../../runs/coding/proof/rules/weakened.ts';

/** No change does this by mistake: after it, a report of tests says nothing any more. */
const alwaysFails: ReadonlySet<Weakened['kind']> = new Set([
  'test-cut-short',
  'report-printed',
  'runner-replaced',
  'failure-ignored',
]);

const describe = ({ path, line, message }: Weakened): string =>
  `${escapeForLine(path, 200)}:${line} ${escapeForLine(message, 300)}`;

/** Two runners in one command do this too: then the plan has to give each a command of its own. */
const unclear = 'The commands print reports of tests that contradict each other.';

export function judgeProof(
  proof: Proof,
  gateMode: 'warn' | 'enforce',
): { readonly failures: readonly string[]; readonly warnings: readonly string[] } {
  const grave = proof.weakened.filter(({ kind }) => alwaysFails.has(kind));
  const other = proof.weakened.filter(({ kind }) => !alwaysFails.has(kind));
  const always = [...(ranNoTest(proof) ? ['The verify commands ran no test.'] : []), ...grave.map(describe)];
  const { counts } = proof;
  const noted = [
    ...other.map(describe),
    ...(counts.runner === null && counts.why === 'unclear' ? [unclear] : []),
    ...(proof.redGreen === 'not-red' ? proof.reasons.filter((reason) => /without/iu.test(reason)) : []),
  ];
  return gateMode === 'enforce'
    ? { failures: [...always, ...noted], warnings: [] }
    : { failures: always, warnings: noted };
}
