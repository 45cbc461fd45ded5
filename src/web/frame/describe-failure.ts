/** What is said of a page that could not be drawn, in words that help. */
import type { Problem } from '../data/answers.ts';

/** The browsers word it differently: Chromium, Firefox and Safari in this order. */
const ofMissingPart =
  /Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed/u;

export function describeFailure(failure: unknown): Problem {
  const said = failure instanceof Error ? failure.message : String(failure);
  const base = { type: 'about:blank', status: 0 };
  if (ofMissingPart.test(said)) {
    const detail = 'A part of the program did not load.';
    const hint =
      'The server is away, or it was updated since this tab was opened. See whether "gatewright serve" runs in its terminal, then reload.';
    return { ...base, title: detail, detail, code: 'server-absent', hint };
  }
  const detail = 'This page failed while it was drawn.';
  const hint = 'Reload. If it fails again, report it as an error of Gatewright with the words below.';
  return { ...base, title: detail, detail, code: 'internal', hint, details: [said] };
}
