/**
 * GitHub's runner obeys commands in what a program prints: `::command::` at the beginning of a line, after white space, and
 * the old form `##[command]` anywhere in it. In words from elsewhere a backslash breaks both. It can be seen, unlike a space
 * of no width, which a program that compares texts by the rules of a language reads over.
 */

const colour = '\\u001B\\[[\\d;]*m';
const unseen = '\\p{Cc}\\p{Default_Ignorable_Code_Point}';
/** What may stand between the characters of a command without being seen. */
const between = `(?:${colour}|(?![\\n\\r])[${unseen}])*`;
const before = `(?:${colour}|(?![\\n\\r\\u2028\\u2029])[\\s${unseen}])*`;

const atBeginning = new RegExp(`^(${before}):(?=${between}:)`, 'gmu');
const anywhere = new RegExp(`(#${between}#${between})\\[`, 'gu');

/** For whole lines. */
export function breakCommands(text: string): string {
  return text.replace(atBeginning, '$1\\:').replace(anywhere, '$1\\[');
}

/** For a line of ours that is to be obeyed: it holds no other command than the one that it begins with. */
export function breakFurtherCommands(line: string): string {
  return `::${breakCommands(line.replace(/^::/u, ''))}`;
}

/** JSON that means the same: such brackets stand in its texts only, and none of its lines begins with a colon. */
export function breakCommandsInJson(json: string): string {
  return json.replace(anywhere, '$1\\u005b');
}
