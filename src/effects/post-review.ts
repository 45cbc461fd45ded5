/**
 * Posts a review with remarks on lines. If the forge refuses a remark, because its diff does not show the line, the
 * review must not be lost: the remark goes into the text instead. A refused request stores nothing, so there is one
 * review in the end.
 */

import { longestBody } from '../domain/forge/forge-texts.ts';
import { readPatchLines } from '../domain/forge/patch-lines.ts';
import type { EffectOf, EffectResults } from '../domain/ledger/effect.ts';
import { inertLine } from '../domain/text/inert-markdown.ts';
import { isGatewrightError } from '../errors.ts';
import type { Forge, NewReview } from '../ports/forge/forge.ts';

type Remark = NewReview['comments'][number];

interface ReviewWords {
  readonly text: string;
  readonly comments: readonly Remark[];
  /** Ends the text; a search finds the review by it. */
  readonly mark: string;
}

const heading = '### On lines that the diff does not show';
const cut = '\n\n(The rest is too long to be shown here.)';

/** As many of them as there is room for. */
function writeBody({ text, mark }: ReviewWords, moved: readonly Remark[]): string {
  const end = `\n\n${mark}\n`;
  const told = moved.map(({ path, line, body }) => `**${inertLine(path, 200)}:${line}**\n\n${body.trim()}`);
  const all = [text.trimEnd(), ...(told.length === 0 ? [] : [heading, ...told])].join('\n\n');
  const room = longestBody - end.length;
  return `${all.length <= room ? all : `${all.slice(0, room - cut.length)}${cut}`}${end}`;
}

export async function postReview(
  forge: Pick<Forge, 'createReview' | 'listFiles'>,
  { repository, number, commit }: EffectOf<'create-review'>,
  words: ReviewWords,
): Promise<EffectResults['create-review']> {
  /** Null when the forge refuses a remark. */
  const post = async (comments: readonly Remark[], moved: readonly Remark[]) => {
    try {
      const { id, url } = await forge.createReview(repository, number, {
        commit,
        // A model neither approves nor blocks in place of a person: the ledger decides that.
        decision: 'comment',
        body: writeBody(words, moved),
        comments,
      });
      return { id, url };
    } catch (error) {
      if (!isGatewrightError(error, 'remark-outside-diff') || comments.length === 0) throw error;
      return null;
    }
  };
  const { comments } = words;
  const whole = await post(comments, []);
  if (whole !== null) return whole;
  const files = await forge.listFiles(repository, number);
  const shown = new Map(files.map(({ path, patch }) => [path, readPatchLines(patch ?? '')]));
  const fits = ({ path, line }: Remark) => shown.get(path)?.has(line) === true;
  const [near, far] = [comments.filter(fits), comments.filter((remark) => !fits(remark))];
  const split = far.length === 0 ? null : await post(near, far);
  if (split !== null) return split;
  const told = await post([], comments);
  if (told === null) throw new TypeError('a review without remarks was refused for a remark');
  return told;
}
