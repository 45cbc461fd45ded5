/** What GitHub's documentation says about expressions, as a table. */
import { describe, expect, it } from 'vitest';
import { evaluate, fillText, fillValue, holds, type Scope, type Status } from './evaluate-expression.ts';

const fine: Status = { isSuccess: true, isFailure: false, isCancelled: false };
const failed: Status = { isSuccess: false, isFailure: true, isCancelled: false };
const cancelled: Status = { isSuccess: false, isFailure: false, isCancelled: true };

const contexts = {
  github: {
    event_name: 'issues',
    event: { action: 'labeled', label: { name: 'Agent' }, issue: { labels: [{ name: 'a' }, { name: 'b' }] } },
  },
  inputs: { run: '', isSure: true, count: 3 },
  needs: { begin: { result: 'success', outputs: { next: 'propose' } } },
  env: { TEXT: "it's }} here" },
  objects: { first: { id: 1 }, second: { id: 2 }, other: 'x' },
};
const scope = (status: Status | null = fine): Scope => ({
  contexts,
  status,
  hashFiles: (one) => one.join('+'),
});

describe('values and operators', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['true', true],
    ['711', 711],
    ['-9.2', -9.2],
    ['0xff', 255],
    ['-2.99e-2', -0.0299],
    ["'it''s'", "it's"],
    // Words are compared without regard to capitals.
    ["github.event.label.name == 'agent'", true],
    ["'A' != 'a'", false],
    // Different types become numbers: null 0, true 1, text as JSON or not a number, empty text 0.
    ['null == 0', true],
    ["null == ''", true],
    ['true == 1', true],
    ["'1' == 1", true],
    ["'' == 0", true],
    ["'abc' == 0", false],
    ["'0x10' == 16", true],
    ["'abc' < 1", false],
    ["'abc' >= 1", false],
    ["true == 'true'", false],
    // Objects and lists are the same only when they are the same one.
    ['github.event == github.event', true],
    ['github.event == github.event.issue', false],
    // The value of && and || is that of a side.
    ["'' || 'other'", 'other'],
    ["'first' && 'second'", 'second'],
    ["0 || ''", ''],
    ["github.event_name == 'push' && 'a' || 'b'", 'b'],
    ['!0', true],
    ["!'false'", false],
    ['1 > 0', true],
    ["'b' > 'A'", true],
    ["(1 == 2 || true) && 'x'", 'x'],
    // What is not there is null.
    ['github.nowhere.further', null],
    ["needs.begin.outputs['next']", 'propose'],
    ["needs.begin.outputs.next == 'PROPOSE'", true],
    ['github.event.issue.labels[1].name', 'b'],
    ['github.event.issue.labels[9]', null],
    ['github.event.issue.labels.*.name', ['a', 'b']],
    ['objects.*.id', [1, 2]],
  ])('%s is %j', (text, value) => {
    expect(evaluate(text, scope())).toEqual(value);
  });
});

describe('functions', () => {
  it.each<[string, unknown]>([
    ["contains('Hello world', 'LLO')", true],
    ["contains(github.event.issue.labels.*.name, 'B')", true],
    ["contains(github.event.issue.labels.*.name, 'ab')", false],
    ['contains(fromJSON(\'["push", "issues"]\'), github.event_name)', true],
    ["startsWith('Hello', 'he')", true],
    ["endsWith('Hello', 'LO')", true],
    ["format('{0} {1} {{x}}', 'a', 2)", 'a 2 {x}'],
    ["join(github.event.issue.labels.*.name, ', ')", 'a, b'],
    ["join('one')", 'one'],
    ["toJSON('a')", '"a"'],
    ['toJSON(null)', 'null'],
    ['fromJSON(\'{"a": [1, true]}\').a[1]', true],
    ["fromJSON('3') == 3", true],
    ["hashFiles('a', '**/b')", 'a+**/b'],
    ["case(false, 'a', true, 'b', 'c')", 'b'],
  ])('%s is %j', (text, value) => {
    expect(evaluate(text, scope())).toEqual(value);
  });

  it.each([
    ['an unknown context', 'nowhere.x', /Unrecognized named-value/u],
    ['an unknown function', 'run()', /Unrecognized function/u],
    ['too few arguments', "contains('a')", /(?:Too few|argument)/iu],
    ['two values', 'github github', /./u],
    ['double quotes', '"text"', /./u],
    ['text that is not JSON', "fromJSON('{')", /./u],
  ])('%s is an error', (_, text, message) => {
    expect(() => evaluate(text, scope())).toThrow(message);
  });

  it('has no function about the status, and none about files, where GitHub has none', () => {
    const bare = { contexts, status: null, hashFiles: null };
    expect(() => evaluate('success()', bare)).toThrow(/Unrecognized function/u);
    expect(() => evaluate("hashFiles('a')", bare)).toThrow(/Unrecognized function/u);
  });
});

describe('text with expressions in it', () => {
  it.each<[string, string]>([
    ['nothing', 'nothing'],
    ["a ${{ github.event_name }} b ${{ 'c' }}", 'a issues b c'],
    ['${{ null }}${{ true }}${{ 1.50 }}', 'true1.5'],
    ['${{ inputs }}', 'Object'],
    ['${{ github.event.issue.labels }}', 'Array'],
    ["${{ '}}' }}", '}}'],
    ["${{ 'it''s }} here' == env.TEXT }}", 'true'],
    ["${{ '${{ no }}' }}", '${{ no }}'],
  ])('%s', (text, filled) => {
    expect(fillText(text, scope())).toBe(filled);
  });

  it('keeps the type of a value that is one expression, and fills once', () => {
    expect(fillValue('${{ inputs.count }}', scope())).toBe(3);
    expect(fillValue(' ${{ inputs.count }}', scope())).toBe(' 3');
    expect(fillValue(7, scope())).toBe(7);
    expect(() => fillValue('${{ 1', scope())).toThrow(/no end/u);
  });
});

describe('an if', () => {
  it.each<[string | boolean | undefined, Status, boolean]>([
    [undefined, fine, true],
    [undefined, failed, false],
    [undefined, cancelled, false],
    ['', failed, false],
    ['true', failed, false],
    [true, fine, true],
    [false, fine, false],
    ['always()', cancelled, true],
    ['failure()', failed, true],
    ['failure()', fine, false],
    ['failure()', cancelled, false],
    ['cancelled()', cancelled, true],
    ['!cancelled()', failed, true],
    ["needs.begin.outputs.next == 'propose'", fine, true],
    ["needs.begin.outputs.next == 'propose'", failed, false],
    ["${{ needs.begin.outputs.next == 'propose' && always() }}", failed, true],
    // Words in text ask for nothing.
    ["'always()' != ''", failed, false],
    // Known trap: text around an expression makes it true.
    ['${{ false }} || false', fine, true],
    ['inputs.run', fine, false],
    ['inputs.isSure', fine, true],
  ])('%j after %j is %s', (condition, status, is) => {
    expect(holds(condition, scope(status))).toBe(is);
  });
});
