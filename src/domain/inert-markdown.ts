/**
 * Words from elsewhere in a text of ours: they are shown, and do nothing. Nobody is notified, and nothing that they name is
 * linked, which forges show on what is linked and date as a change of it. Forges read names and numbers in the rendered
 * text, where a backslash is gone; a space of no width is what they do not see through.
 */
import { inlineMarkdown } from './markdown.ts';

/** As plain words on one line. */
export function inertLine(text: string, longest = 500): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  const cut = characters.length <= longest ? characters : [...characters.slice(0, longest - 1), '…'];
  return inlineMarkdown(cut.join(''))
    .replaceAll('&', '&amp;')
    .replace(/@(?=\w)|#(?=\d)|\bGH-(?=\d)|:(?=\/\/)|\bwww(?=\.)/giu, (mark) => `${mark}&#8203;`);
}
