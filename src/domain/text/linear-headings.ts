/**
 * Underlined headings in linear time. The parser copies everything that it has read so far for each such heading, so
 * that a text of 60 KB that consists of them would take a minute. What it changes lies behind the beginning of the
 * heading; here it is given that part alone.
 */
import { setextUnderline } from 'micromark-core-commonmark';

type Resolve = NonNullable<typeof setextUnderline.resolveTo>;

const resolveTo: Resolve = (events, context) => {
  const begin = events.findLastIndex(([kind, { type }]) => kind === 'enter' && type === 'content');
  const heading = setextUnderline.resolveTo?.(events.slice(begin), context) ?? [];
  events.length = begin;
  for (const event of heading) events.push(event);
  return events;
};

const heading = { ...setextUnderline, resolveTo };

/** The parser tries what an extension adds before its own. */
export const linearHeadings = { flow: { ['-'.charCodeAt(0)]: heading, ['='.charCodeAt(0)]: heading } };
