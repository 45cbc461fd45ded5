/** Whether an issue still says what a person agreed to: an edit counts only if its author could have given the order. */
import { type FleetSettings, isListedBot } from '../domain/fleet/fleet-settings.ts';
import { isAtLeast } from '../domain/forge/permission.ts';
import { findChanges, type SeenText } from '../domain/forge/seen-text.ts';
import type { Editor, IssueText } from '../ports/forge/forge-issues.ts';
import type { ForgeReader } from '../ports/forge/forge-reader.ts';

interface Place {
  readonly forge: Pick<ForgeReader, 'permissionOf'>;
  readonly repository: string;
  readonly settings: Pick<FleetSettings, 'bots'>;
}

async function mayOrder({ forge, repository, settings }: Place, editor: Editor | null): Promise<boolean> {
  if (editor === null) return false;
  if (editor.kind === 'bot') return isListedBot(settings, editor.login);
  return isAtLeast(await forge.permissionOf(repository, editor.login), 'write');
}

/**
 * The part that an editor without the right changed since; null when there is none.
 * @param text with its editors, from one answer of the forge: an edit may fall between two requests
 */
export async function findForeignEdit(
  place: Place,
  seen: SeenText,
  text: IssueText,
): Promise<'title' | 'body' | null> {
  const editors = { title: text.titleBy, body: text.bodyBy };
  for (const part of findChanges(seen, text)) if (!(await mayOrder(place, editors[part]))) return part;
  return null;
}
