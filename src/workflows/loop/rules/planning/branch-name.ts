/** The branch of a loop: one for each issue, named after it. */
import { foldLetters } from '../../../../domain/drafts/fold-words.ts';
import { checkBranchName } from '../../../../domain/forge/git-names.ts';
import { GatewrightError } from '../../../../errors.ts';

const longest = 60;
/** More of a title is not looked at. */
const longestTitle = 500;

/** Words of plain letters and digits with hyphens between them, whole words as long as there is room for one. */
function slugOf(title: string, room: number): string {
  const words = foldLetters(title.slice(0, longestTitle)).match(/[a-z0-9]+/gu) ?? [];
  let slug = '';
  for (const word of words) {
    const next = slug === '' ? word : `${slug}-${word}`;
    if (next.length > room) return slug === '' ? word.slice(0, room) : slug;
    slug = next;
  }
  // A title may have no Latin letter at all.
  return slug === '' ? 'task'.slice(0, room) : slug;
}

/**
 * `ai/issue-42-short-slug`: a name that git takes for any title, of at most 60 characters.
 * @param again how many branches of that name there are already: the second one ends with `-2`
 */
export function loopBranchOf(prefix: string, number: number, title: string, again = 0): string {
  if (!Number.isSafeInteger(number) || number < 1)
    throw new GatewrightError('internal', `${number} is not the number of an issue.`);
  const start = `${prefix}${number}-`;
  const end = again === 0 ? '' : `-${again + 1}`;
  const room = longest - start.length - end.length;
  if (room < 1)
    throw new GatewrightError('config-invalid', 'The setting branchPrefix leaves no room for the name.');
  return checkBranchName(`${start}${slugOf(title, room)}${end}`);
}
