/**
 * What an `if:` comes to in a world that is known in part: an event, and a pull request from a fork. What is not known
 * stays unknown, so only what cannot be otherwise is decided.
 */
import { type Expression, type Literal, pathOf } from '../expressions/expression.ts';
import { readExpression } from '../expressions/read-expression.ts';
import type { YamlScalar } from '../yaml/yaml-tree.ts';
import { templateOf } from './workflow.ts';

/** A name stands for something that has one value in a run, without saying which. */
type Known = { readonly value: Literal } | { readonly name: string } | { readonly list: readonly Literal[] };
type Found = Known | null;

/** A run that a pull request from a fork starts, directly or through another workflow. */
export interface World {
  readonly event: string;
}

const baseRepository = { name: 'the repository' };
const baseOwner = { name: 'its owner' };
const baseId = { name: 'its id' };
const forkRepository = { name: 'the fork' };
const forkOwner = { name: 'the owner of the fork' };
const forkId = { name: 'the id of the fork' };

const facts: Readonly<Record<string, Known>> = {
  'github.repository': baseRepository,
  'github.repository_owner': baseOwner,
  'github.repository_id': baseId,
  'github.event.repository.full_name': baseRepository,
  'github.event.repository.owner.login': baseOwner,
  'github.event.repository.id': baseId,
  'github.event.pull_request.base.repo.full_name': baseRepository,
  'github.event.pull_request.base.repo.owner.login': baseOwner,
  'github.event.pull_request.base.repo.id': baseId,
  'github.event.pull_request.head.repo.full_name': forkRepository,
  'github.event.pull_request.head.repo.owner.login': forkOwner,
  'github.event.pull_request.head.user.login': forkOwner,
  'github.event.pull_request.head.repo.id': forkId,
  'github.event.pull_request.head.repo.fork': { value: true },
  'github.event.workflow_run.event': { value: 'pull_request' },
  'github.event.workflow_run.head_repository.full_name': forkRepository,
  'github.event.workflow_run.head_repository.owner.login': forkOwner,
  'github.event.workflow_run.head_repository.id': forkId,
  'github.event.workflow_run.head_repository.fork': { value: true },
  'github.event.workflow_run.repository.full_name': baseRepository,
  'github.event.workflow_run.repository.owner.login': baseOwner,
  'github.event.workflow_run.repository.id': baseId,
};

function isTrue(found: Found): boolean | null {
  if (found === null || 'name' in found) return null;
  if ('list' in found) return true;
  const { value } = found;
  return !(value === false || value === 0 || value === '' || value === null || Number.isNaN(value));
}

function truth(value: boolean | null): Found {
  return value === null ? null : { value };
}

function textOf(found: Found): string | null {
  if (found === null || !('value' in found)) return null;
  return found.value === null ? '' : String(found.value).toLowerCase();
}

/** Texts are compared without capitals. Values of two kinds are compared as numbers, which says nothing here. */
function isEqual(left: Found, right: Found): boolean | null {
  if (left === null || right === null) return null;
  if ('name' in left && 'name' in right) return left.name === right.name;
  if (!('value' in left) || !('value' in right)) return null;
  if (typeof left.value !== typeof right.value) return null;
  return textOf(left) === textOf(right);
}

function parseList(found: Found): Found {
  if (found === null || !('value' in found) || typeof found.value !== 'string') return null;
  try {
    const value: unknown = JSON.parse(found.value);
    if (Array.isArray(value)) return { list: value.filter((one) => typeof one !== 'object') as Literal[] };
    return typeof value === 'object' ? null : { value: value as Literal };
  } catch {
    return null;
  }
}

function call(name: string, args: readonly Found[]): Found {
  const [first = null, second = null] = args;
  if (name === 'fromjson') return parseList(first);
  const [text, part] = [textOf(first), textOf(second)];
  if (part === null) return null;
  if (name === 'contains' && first !== null && 'list' in first)
    return truth(first.list.some((one) => textOf({ value: one }) === part));
  if (text === null) return null;
  if (name === 'contains') return truth(text.includes(part));
  if (name === 'startswith') return truth(text.startsWith(part));
  return name === 'endswith' ? truth(text.endsWith(part)) : null;
}

function all(operands: readonly Expression[], world: World, isAnd: boolean): Found {
  let last: Found = null;
  let isOpen = false;
  for (const operand of operands) {
    const found = decide(operand, world);
    const is = isTrue(found);
    // The first operand that is false ends an "and", the first that is true an "or"; an unknown one before it might.
    if (is === !isAnd) return isOpen ? { value: !isAnd } : found;
    if (is === null) isOpen = true;
    last = found;
  }
  return isOpen ? null : last;
}

function decide(expression: Expression, world: World): Found {
  switch (expression.kind) {
    case 'literal':
      return { value: expression.value };
    case 'context':
    case 'index': {
      const path = pathOf(expression)?.join('.') ?? '';
      return path === 'github.event_name' ? { value: world.event } : (facts[path] ?? null);
    }
    case 'not': {
      const is = isTrue(decide(expression.operand, world));
      return truth(is === null ? null : !is);
    }
    case 'compare': {
      if (expression.operator !== '==' && expression.operator !== '!=') return null;
      const is = isEqual(decide(expression.left, world), decide(expression.right, world));
      return truth(is === null ? null : is === (expression.operator === '=='));
    }
    case 'call':
      return call(
        expression.name,
        expression.args.map((one) => decide(one, world)),
      );
    case 'and':
    case 'or':
      return all(expression.operands, world, expression.kind === 'and');
  }
}

/** Whether it cannot be true there. */
export function isNever(expression: Expression, world: World): boolean {
  return isTrue(decide(expression, world)) === false;
}

/** The expression of an `if:`; null when it is none that can be read, or text around it makes it always true. */
export function conditionOf(scalar: YamlScalar | null): Expression | null {
  if (scalar === null) return null;
  const { parts, embedded } = templateOf(scalar);
  const only = embedded[0];
  if (only !== undefined) return parts.length === 1 ? only.expression : null;
  const expression = readExpression(scalar.text);
  return typeof expression === 'string' ? null : expression;
}
