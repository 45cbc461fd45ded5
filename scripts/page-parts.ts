/** What all generated pages are put together from. */

export const note = '<!-- Made by `npm run docs`; do not edit. -->';

export function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
