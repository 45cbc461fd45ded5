/** A title as it is kept: the author's own characters, on one line, cut to a length. It is escaped where it is shown. */

const longestTitle = 120;

export function cutTitle(text: string): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  return characters.length <= longestTitle
    ? characters.join('')
    : `${characters.slice(0, longestTitle - 1).join('')}…`;
}
