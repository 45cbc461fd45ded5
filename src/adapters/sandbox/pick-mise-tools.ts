/** Takes the versions of tools out of a person's settings of mise, and nothing else of them. */

const toolLine =
  /^\s*("?)[\w@:/.-]{1,100}\1\s*=\s*(?:"[\w.:@/-]{1,60}"|\[(?:\s*"[\w.:@/-]{1,60}"\s*,?)+\])\s*$/u;

export function pickMiseTools(text: string): string {
  let isInTools = false;
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const words = line.replace(/\s#.*$/u, '');
    if (/^\s*\[/u.test(words)) isInTools = words.trim() === '[tools]';
    else if (isInTools && toolLine.test(words)) kept.push(words.trim());
  }
  return `[tools]\n${kept.map((line) => `${line}\n`).join('')}`;
}
