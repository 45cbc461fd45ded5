/** What a brief is called: by its heading, by the subject of a mail, or by its first sentence. */
import type { Paragraph, RootContent } from 'mdast';
import { type Section, sourceOf } from '../../domain/text/markdown.ts';
import { labelsOf } from './brief-labels.ts';
import { isOnlyRefusal } from './brief-refusals.ts';
import { type Sentence, sentencesOf } from './brief-sentences.ts';
import { isDoubt, isFrame, readHeading, subjectMark } from './brief-words.ts';

/** The heading that names the brief: the first of the first rank, or the first of all unless it speaks of a section. */
export function titleSection(sections: readonly Section[]): Section | undefined {
  const [first] = sections;
  const isTitle =
    first !== undefined && readHeading(first.title).kind === 'none' && !isOnlyRefusal(first.title);
  return (
    sections.find((section) => section.depth === 1 && !isOnlyRefusal(section.title)) ??
    (isTitle ? first : undefined)
  );
}

function isPlain({ spoken }: Sentence): boolean {
  return spoken !== '' && !isFrame(spoken) && !isDoubt(spoken);
}

/** A sentence made of plain words that stand in the brief. */
export function plainSentence(words: string): Sentence {
  const node = { type: 'text', value: words } as const;
  const source = words.replace(/[\\`*_[\]<>#|~&]/gu, (mark) => `\\${mark}`);
  return { source, nodes: [node], pieces: [source], spoken: words };
}

/** What a mail is about, without the marks of answers and with its code; null when the line does not say it. */
function subjectOf(sentence: Sentence): Sentence | null {
  const { spoken, nodes, pieces } = sentence;
  const words = spoken.replace(subjectMark, '');
  if (!subjectMark.test(spoken) || words === '') return null;
  const [[first, ...rest], [written = '', ...others]] = [nodes, pieces];
  if (first?.type !== 'text' || !subjectMark.test(written)) return plainSentence(words);
  const kept: Sentence['nodes'] = [{ ...first, value: first.value.replace(subjectMark, '') }];
  const source = written.replace(subjectMark, '');
  return source === ''
    ? { source: others.join(''), nodes: rest, pieces: others, spoken: words }
    : {
        source: [source, ...others].join(''),
        nodes: [...kept, ...rest],
        pieces: [source, ...others],
        spoken: words,
      };
}

/** Without a heading: what a mail is about, or the first sentence. */
export function findTitle(text: string, opening: readonly RootContent[]): Sentence | null {
  const sentences = opening.flatMap((node) => (node.type === 'paragraph' ? sentencesOf(text, node) : []));
  for (const sentence of sentences) {
    const subject = subjectOf(sentence);
    if (subject !== null) return subject;
  }
  const said = sentences.filter((sentence) => labelsOf(sentence) === null);
  return said.find(isPlain) ?? said.find(({ spoken }) => spoken !== '' && !isFrame(spoken)) ?? null;
}

/** The heading that names the brief, whole. */
export function readName(text: string, heading: Paragraph | null): Sentence | null {
  if (heading === null) return null;
  const [first, ...rest] = sentencesOf(text, heading);
  if (first === undefined) return null;
  return {
    source: sourceOf(text, heading).replace(/\s*\n\s*/gu, ' '),
    nodes: heading.children,
    pieces: rest.length === 0 ? first.pieces : [],
    spoken: [first, ...rest].map(({ spoken }) => spoken).join(' '),
  };
}
