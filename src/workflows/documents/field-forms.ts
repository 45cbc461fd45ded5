/** The forms of fields in the JSON documents that workflows share with people and other tools, with messages in words. */
import { z } from 'zod';

const longestLine = 300;
const longestText = 20_000;

/** What is wrong with a value; for a value that is not there it is just that. */
export function said(message: string): { error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? 'is missing' : message) };
}

export const text = (longest = longestText): z.ZodString =>
  z.string(said('has to be text')).max(longest, `may have ${longest} characters`);

/** Without line breaks and control characters, such as the first line of a commit message. */
export const line = (longest = longestLine): z.ZodString =>
  text(longest)
    .regex(/\S/u, 'has to say something')
    .regex(/^[^\u0000-\u001F\u007F-\u009F\u2028\u2029]*$/u, 'has to be one line without control characters');

export const list = <Item extends z.ZodType>(item: Item, most: number): z.ZodArray<Item> =>
  z.array(item, said('has to be a list')).max(most, `may have ${most} entries`);

export const count = z
  .int(said('has to be a whole number'))
  .min(0, 'may not be negative')
  .max(1_000_000, 'is too large');
export const number = z.number(said('has to be a number'));
export const flag = z.boolean(said('has to be true or false'));

/** With the fields that it has and any others: a newer version may know more of them. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$loose> =>
  z.looseObject(shape, said('has to be an object'));
