/** N1: everything the run will need is checked before the first model is paid, then its sandbox is made. */

import { activeFolder } from '../../../domain/drafts/lineage.ts';
import { describeMissingWrite, howToGetWrite, isAtLeast } from '../../../domain/forge/permission.ts';
import { GatewrightError, isGatewrightError } from '../../../errors.ts';
import type { AuthoringContext } from '../definition.ts';
import { checkIndependence, independenceFix } from '../independence.ts';
import { withoutModel } from '../offer-builtin.ts';
import { saveLineage } from '../save-lineage.ts';
import type { AuthoringState } from '../state.ts';

interface Check {
  readonly name: string;
  readonly detail: string;
  /** How to fix it; null when it is fine. */
  readonly fix: string | null;
}

async function checkForge(context: AuthoringContext): Promise<Check> {
  const name = 'forge';
  const { repository } = context.request;
  try {
    const actor = await context.forge.whoAmI();
    const permission = await context.forge.permissionOf(repository, actor);
    if (isAtLeast(permission, 'write')) {
      return { name, detail: `${actor} may write to ${repository}`, fix: null };
    }
    return {
      name,
      detail: describeMissingWrite(actor, permission, repository),
      fix: howToGetWrite(context.forge.kind, actor, repository),
    };
  } catch (error) {
    // A limit passes by itself: the run pauses until then, and there is nothing for a person to fix.
    if (!isGatewrightError(error) || error.until !== null) throw error;
    return { name, detail: error.message, fix: error.hint };
  }
}

async function checkGit(context: AuthoringContext): Promise<Check[]> {
  const folders = context.definition.folders(context.request.slug);
  const paths = folders.map((folder) => `${folder}/001-brief.md`);
  const problems = await context.repository.checkReady(paths);
  if (problems.length === 0) return [{ name: 'git', detail: 'commits can be made', fix: null }];
  return problems.map(({ problem, fix }) => ({ name: 'git', detail: problem, fix }));
}

function checkEditor(context: AuthoringContext): Check {
  if (!context.needsEditor) return { name: 'editor', detail: 'not needed', fix: null };
  const { command, chosen } = context.editor;
  if (command !== null) return { name: 'editor', detail: command, fix: null };
  return {
    name: 'editor',
    detail: chosen === null ? 'no editor was found' : `your editor cannot be run: ${chosen}`,
    fix: 'set GATEWRIGHT_EDITOR (for example to "code --wait" or "nano"), or run with --auto, or with --no-input and answer with: gatewright gate answer',
  };
}

async function checkModels(context: AuthoringContext): Promise<Check[]> {
  const { drafter, reviewer } = context.models;
  const checks: Check[] = [];
  for (const [role, model] of [
    ['drafter', drafter],
    ['reviewer', reviewer],
  ] as const) {
    const problem = await model.checkReady();
    checks.push({
      name: role,
      detail: problem ?? model.title,
      fix:
        problem === null
          ? null
          : `make it available, or choose another with --${role}; ${withoutModel[role]} needs no model`,
    });
  }
  const problem = await checkIndependence(context);
  if (problem !== null) checks.push({ name: 'independence', detail: problem, fix: independenceFix });
  return checks;
}

const clearing = 'clear-lineage';

/** Whether an earlier attempt failed and removed the copy of the brief. */
async function wasCleared(context: AuthoringContext): Promise<boolean> {
  const entries = await context.readEntries();
  return entries.some(
    (entry) => entry.kind === 'effect-receipted' && entry.key?.includes(`/${clearing}`) === true,
  );
}

export async function prepareSandbox(
  context: AuthoringContext,
  state: AuthoringState,
): Promise<Partial<AuthoringState>> {
  const checks = [
    checkEditor(context),
    ...(await checkGit(context)),
    await checkForge(context),
    ...(await checkModels(context)),
  ];
  for (const { name, detail, fix } of checks)
    context.progress({ kind: 'checked', name, ok: fix === null, detail });
  const failed = checks.filter((check) => check.fix !== null);
  if (failed.length > 0) {
    // Nothing was drafted yet: what the run has written would only be in the way of the next one.
    const folder = activeFolder(context.request.slug);
    await context.effects.perform(`${state.step}/${clearing}`, 'remove-folder', () => ({ path: folder }));
    throw new GatewrightError('preflight-failed', `${failed.length} of ${checks.length} checks failed.`, {
      details: failed.map(({ name, detail, fix }) => `${name}: ${detail} — ${fix}`),
    });
  }
  if (await wasCleared(context)) {
    const { ledger, request } = context;
    await saveLineage(context, `${state.step}/brief`, 'brief.md', () => ledger.getText(request.briefHash));
  }
  await context.effects.perform(`${state.step}/worktree`, 'make-worktree', () => ({ name: context.runId }));
  return {};
}
