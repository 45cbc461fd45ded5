/** A choice in words, without the marks that show its key on a terminal. */
import { plainText } from '../../parts/plain-text.ts';

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `[R]evise - send it back` is said as `Revise: send it back`, and `s[K]ip it` as `Skip it`. */
export function wordChoice({ name, label }: { readonly name: string; readonly label: string }): string {
  const [, rest] = /^\S*\[\w\]\S* - (.*)$/u.exec(label) ?? [];
  if (rest !== undefined) return plainText(capitalise(rest.startsWith(name) ? rest : `${name}: ${rest}`));
  const words = label.replace(/(\w?)\[(\w)\]/u, (_, before: string, key: string) =>
    before === '' ? key : before + key.toLowerCase(),
  );
  return plainText(capitalise(words));
}
