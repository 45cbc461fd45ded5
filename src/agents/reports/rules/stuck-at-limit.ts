/** How reports speak of work that has reached a limit. Pure. */
import { type CorrectionEnd, convergenceWords } from '../../../domain/changes/convergence-words.ts';
import { loopLimit } from '../../../domain/fleet/loop-limit.ts';

export interface AtLimit {
  readonly number: number;
  readonly what: 'continue' | 'fix' | 'conflict' | 'merge';
  readonly at: string;
  /** Of corrections that came to nothing before their limit. */
  readonly because?: CorrectionEnd;
}

const words: Readonly<Record<AtLimit['what'], string>> = {
  continue: `its turns ran out ${loopLimit + 1} times`,
  fix: `its review is not clean after ${loopLimit} corrections`,
  conflict: `it conflicts with its base after ${loopLimit} attempts to bring it up to date`,
  merge: 'every attempt to merge it found that it or its base had moved',
};

/** Our own words, as Markdown. */
export function explainLimit({ what, because }: Pick<AtLimit, 'what' | 'because'>, handle: string): string {
  if (what === 'merge') return `${words.merge}. It waits for its next event or a person`;
  const why = because === undefined ? words[what] : convergenceWords[because];
  return `${why}. It waits for a person; a comment \`@${handle} continue\` continues it`;
}

const names: Readonly<Record<AtLimit['what'], string>> = {
  continue: 'continuing',
  fix: 'correcting findings',
  conflict: 'settling conflicts',
  merge: 'merging',
};

/** One line for each limit that anything has reached. */
export function countLimits(atLimit: readonly Pick<AtLimit, 'number' | 'what'>[]): string[] {
  return (['continue', 'fix', 'conflict', 'merge'] as const).flatMap((what) => {
    const numbers = atLimit.filter((one) => one.what === what).map(({ number }) => `\`#${number}\``);
    return numbers.length === 0
      ? []
      : [`- limit of ${names[what]}: ${numbers.length} (${numbers.join(', ')})`];
  });
}
