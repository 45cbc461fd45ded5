/** Checks that the scenarios of a design try its requirements, and that each can pass or fail by itself. */

import { vagueWords } from '../../../../domain/drafts/vague-words.ts';
import type { Finding } from '../../../../domain/drafts/verdict.ts';
import type { LldDocument } from './lld-document.ts';
import { blocking, shown, warning } from './lld-findings.ts';

const section = '10.1 Test Scenarios';
const wantedCoverage = 0.95;

function checkCoverage({ sections, requirements, scenarios }: LldDocument): Finding[] {
  if (!sections.has('3')) return [];
  if (requirements.length === 0) {
    return [blocking('3 Requirements', 'There is no list of requirements.', 'Number them 1., 2., 3. …')];
  }
  const findings: Finding[] = [];
  const known = new Set(requirements.map((requirement) => requirement.number));
  const tried = new Set(scenarios.flatMap((scenario) => scenario.requirements));
  const open = [...known].filter((number) => !tried.has(number));
  if (open.length > 0) {
    const isEnough = 1 - open.length / known.size >= wantedCoverage;
    const names = open.slice(0, 20).map((number) => `REQ-${number}`);
    const more = open.length > names.length ? ` and ${open.length - names.length} more` : '';
    const problem = `No scenario tries ${names.join(', ')}${more}.`;
    const fix = 'Add scenarios, each ending with the requirement: (REQ-n).';
    findings.push(isEnough ? warning(section, problem, fix) : blocking(section, problem, fix));
  }
  for (const number of [...tried].filter((one) => !known.has(one))) {
    const problem = `A scenario tries REQ-${number}, which section 3 does not have.`;
    findings.push(blocking(section, problem, 'Correct the number.'));
  }
  return findings;
}

/** A number says how much; then such words only explain it. The requirement's number does not count. */
function findVagueWord(text: string): string | null {
  const isMeasured = /\d/u.test(text.replace(/\bREQ-\d+\b/giu, ''));
  return isMeasured ? null : (vagueWords.exec(text)?.[0] ?? null);
}

/** All findings about sections 3, 10.1 and 10.3. */
export function checkScenarios(document: LldDocument): Finding[] {
  const findings = checkCoverage(document);
  for (const scenario of document.scenarios) {
    if (!scenario.saysWhen) {
      const problem = `"${shown(scenario.text)}" does not say when it passes.`;
      findings.push(blocking(section, problem, 'Say what is measured and which value passes.'));
      continue;
    }
    const vague = scenario.prose.map(findVagueWord).find((word) => word !== null);
    if (vague === undefined || vague === null) continue;
    const problem = `"${shown(scenario.text)}" cannot pass or fail: "${vague}".`;
    findings.push(blocking(section, problem, 'Say what is measured and which value passes.'));
  }
  if (document.scenarios.some((scenario) => scenario.isManual) && !document.justifiesManual) {
    const problem = 'A scenario is left to a person, and section 10.3 does not say why.';
    findings.push(blocking('10.3 Manual Tests', problem, 'Automate it, or give the reason there.'));
  }
  return findings;
}
