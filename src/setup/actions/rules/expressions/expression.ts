/** An expression of GitHub's workflow files, as a tree. Names of contexts, properties and functions are in lower case. */

export type Literal = string | number | boolean | null;

export type Expression =
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'context'; readonly name: string }
  /** `key` is null for `*`. */
  | { readonly kind: 'index'; readonly base: Expression; readonly key: Expression | null }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'not'; readonly operand: Expression }
  | {
      readonly kind: 'compare';
      readonly operator: CompareOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Expression[] };

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** What stands for a key that is not known before the workflow runs. */
const anyKey = '*';

/** `github.event.issue.title` and `github['event']['ISSUE'].title` as the same keys; null if it is no path. */
export function pathOf(expression: Expression): readonly string[] | null {
  if (expression.kind === 'context') return [expression.name];
  if (expression.kind !== 'index') return null;
  const base = pathOf(expression.base);
  if (base === null) return null;
  const { key } = expression;
  const isName = key?.kind === 'literal' && typeof key.value === 'string';
  return [...base, isName ? String(key.value).toLowerCase() : anyKey];
}

/** The expressions that one is made of, one level down. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'context':
      return [];
    case 'index':
      return expression.key === null ? [expression.base] : [expression.base, expression.key];
    case 'call':
      return expression.args;
    case 'not':
      return [expression.operand];
    case 'compare':
      return [expression.left, expression.right];
    case 'and':
    case 'or':
      return expression.operands;
  }
}

/** The expression and everything in it. */
export function* everyPart(expression: Expression): Generator<Expression> {
  yield expression;
  for (const part of partsOf(expression)) yield* everyPart(part);
}
