/** How the checks of a design say what they found. */
import type { Finding } from '../../../../domain/drafts/verdict.ts';

export function blocking(section: string, problem: string, fix: string): Finding {
  return { tier: 'blocking', category: 'Mechanical', section, problem, fix };
}

export function warning(section: string, problem: string, fix: string): Finding {
  return { tier: 'suggestion', category: 'Mechanical', section, problem, fix };
}

/** Text of the design inside a finding: long ones are cut. */
export function shown(text: string): string {
  if (text.length <= 120) return text;
  return `${[...text.slice(0, 240)].slice(0, 118).join('')}…`.slice(0, 120);
}
