/** The command that continues a run, as it can be pasted into a shell. */
import type { RunRequest } from '../domain/run.ts';
import { quoteForShell } from './quote-for-shell.ts';

export function resumeCommand(
  request: RunRequest,
  what = request.brief.startsWith('/') ? request.slug : request.brief,
): string {
  // The local forge is found by the folder; elsewhere the names that the run began with are said again.
  const where =
    request.forge === 'github' ? ` --forge github --repo ${quoteForShell(request.repository)}` : '';
  return `gatewright issue --resume ${quoteForShell(what)}${where}`;
}
