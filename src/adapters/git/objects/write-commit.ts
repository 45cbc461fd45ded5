/**
 * Writes a commit without a process of its own, exactly as `git commit-tree` would: the same work gives the same commit,
 * whichever of the two wrote it. Null where git has to be asked, which also knows what to do with odd names and dates.
 */
import type { NewCommit } from '../../../ports/workspace.ts';
import { areIds } from '../known-answers.ts';
import type { RepositoryObjects } from './repository-objects.ts';

/** What git takes away from names and addresses: these at their ends, and brackets and line breaks anywhere. */
const odd = /^$|^[\0-\x20.,:;<>"\\']|[\0-\x20.,:;<>"\\']$|[<>\n\0]/u;
const usualTime = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u;

function toText({ tree, parent, merged, author, at, message }: NewCommit): string | null {
  const parents = [parent, ...(merged === undefined ? [] : [merged])];
  const seconds = Math.floor(Date.parse(at) / 1000);
  const isUsual =
    areIds([tree, ...parents]) &&
    new Set(parents).size === parents.length &&
    ![author.name, author.email].some((one) => odd.test(one)) &&
    usualTime.test(at) &&
    Number.isSafeInteger(seconds) &&
    message !== '' &&
    !message.includes('\0');
  if (!isUsual) return null;
  const who = `${author.name} <${author.email}> ${seconds} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((one) => `parent ${one}`),
    `author ${who}`,
    `committer ${who}`,
  ];
  return `${lines.join('\n')}\n\n${message}`;
}

export async function writeCommit(objects: RepositoryObjects, commit: NewCommit): Promise<string | null> {
  const text = toText(commit);
  if (text === null) return null;
  const { tree, parent, merged } = commit;
  // Git refuses to refer to what is not there.
  const found = await Promise.all([
    objects.reader.look(tree),
    ...[parent, ...(merged === undefined ? [] : [merged])].map((one) => objects.reader.look(one)),
  ]);
  const areThere = found.every((facts, index) => facts?.kind === (index === 0 ? 'tree' : 'commit'));
  return areThere ? ((await objects.writeTexts([text], 'commit'))?.[0] ?? null) : null;
}
