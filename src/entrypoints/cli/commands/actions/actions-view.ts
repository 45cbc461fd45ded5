/** Shows what `init --actions` would write, and what a person does next. */
import { quoteForShell } from '../../../../domain/text/quote-for-shell.ts';
import { escapeForLine, escapeForTerminal } from '../../../../domain/text/untrusted-text.ts';
import type { PlannedActionsFile } from '../../../../setup/actions/generate/plan-files.ts';
import { unifiedDifference } from '../../views/line-difference.ts';
import type { Terminal } from '../../views/terminal.ts';

const signs = { new: '+', there: '=', changes: '~', edited: '!', unfit: '!' } as const;
const notes = {
  new: 'new',
  there: 'there',
  changes: 'is brought up to date',
  edited: 'a person changed it; it is replaced only if you say so',
  unfit: 'cannot be changed',
} as const;

function differenceOf({ path, existing, content, state }: PlannedActionsFile): string[] {
  if (state === 'there' || state === 'unfit') return [];
  const from = existing === null ? '/dev/null' : `a/${path}`;
  return [`--- ${from}`, `+++ b/${path}`, ...unifiedDifference(existing ?? '', content)];
}

export function showActionsPlan(terminal: Terminal, plan: readonly PlannedActionsFile[]): void {
  for (const file of plan) {
    const { path, state, why } = file;
    terminal.print(
      `  ${signs[state]} ${escapeForLine(path)} (${why === '' ? notes[state] : escapeForLine(why)})`,
    );
  }
  for (const file of plan)
    for (const line of differenceOf(file)) terminal.printExactly(escapeForTerminal(line));
}

export function actionsPlanAsJson(plan: readonly PlannedActionsFile[]) {
  return {
    files: plan.map((file) => ({
      path: file.path,
      state: file.state,
      ...(file.why === '' ? {} : { why: file.why }),
      difference: differenceOf(file),
    })),
  };
}

export function describeNextSteps(paths: readonly string[]): string {
  return `Done. Next:
1. Commit: git add ${paths.map(quoteForShell).join(' ')} && git commit -m "Let Gatewright work on GitHub Actions"
2. The key of the ledger, which is shown to no one: gatewright init --actions --ledger-key | gh secret set GATEWRIGHT_LEDGER_KEY
3. A key for models, one of: gh secret set CLAUDE_CODE_OAUTH_TOKEN or: gh secret set ANTHROPIC_API_KEY (each asks for it)
4. Let jobs open pull requests: gh api --method PUT repos/{owner}/{repo}/actions/permissions/workflow -f default_workflow_permissions=read -F can_approve_pull_request_reviews=true
5. Push, then check the rest with: gatewright doctor --actions
GitHub has no rule for refs outside of branches and tags: who may push to the repository can push to refs/gatewright/ledger too. Entries are signed with the key of step 2, so a foreign one is found: gatewright ledger verify
All of it is explained in docs/actions.md.`;
}
