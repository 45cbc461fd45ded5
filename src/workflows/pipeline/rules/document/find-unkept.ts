/**
 * Finds what would not survive reading and writing, in fields that are known and in those that are not: a number that this
 * program would write with another value, half of a character, and the one key that changes what an object is.
 */
import {
  type JsonItem,
  type JsonMember,
  type JsonNode,
  type JsonPath,
  type JsonProblem,
  showPath,
} from '../../../documents/json-tree.ts';

/** The digits of a number without the zeros around them, and the power of ten of the last one: one form for each value. */
function readDecimal(raw: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/u.exec(raw) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/u, '');
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  if (end === 0) return '0';
  return `${sign}${all.slice(0, end)}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(all.length - end)}`;
}

/** No number that means something needs more; longer ones would make the arithmetic above slow. */
const longestNumber = 100;

const isKept = (raw: string): boolean =>
  raw.length <= longestNumber &&
  Number.isFinite(Number(raw)) &&
  readDecimal(raw) === readDecimal(String(Number(raw)));

function findInScalar(raw: string): string | null {
  if (raw.startsWith('"'))
    return (JSON.parse(raw) as string).isWellFormed() ? null : 'holds half of a character (a lone surrogate)';
  if (!/^[-\d]/u.test(raw) || isKept(raw)) return null;
  return 'is a number that cannot be kept as it is: it is too large, too small or has too many digits';
}

function findInKey(key: string): string | null {
  if (key === '__proto__') return 'is a key that no version has';
  return key.isWellFormed() ? null : 'is a key with half of a character (a lone surrogate)';
}

export function findUnkept(root: JsonNode): JsonProblem[] {
  const problems: JsonProblem[] = [];
  const visit = (node: JsonNode, path: JsonPath): void => {
    if (node.kind === 'scalar') {
      const message = findInScalar(node.raw);
      if (message !== null) problems.push({ path: showPath(path), message });
      return;
    }
    node.items.forEach((item: JsonItem | JsonMember, index) => {
      const here = [...path, 'key' in item ? item.key : index];
      const message = 'key' in item ? findInKey(item.key) : null;
      if (message !== null) problems.push({ path: showPath(here), message });
      visit(item.value, here);
    });
  };
  visit(root, []);
  return problems;
}
