/** The lines of the new side that a unified diff of one file shows, with their numbers. */
export function readPatchLines(patch: string): Map<number, string> {
  const shown = new Map<number, string>();
  let line = 0;
  for (const text of patch.split('\n')) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/u.exec(text);
    if (hunk !== null) line = Number(hunk[1]);
    else if (text.startsWith('+') || text.startsWith(' ')) {
      shown.set(line, text.slice(1));
      line += 1;
    }
  }
  return shown;
}
