import { describe, expect, it } from 'vitest';
import { thrownCode } from '../../../test/support/thrown-code.ts';
import { checkPermittedCommands, isPermittedCommand } from './permitted-command.ts';

describe('checkPermittedCommands', () => {
  it.each(['npm test', 'npm run *', 'make', './scripts/check.sh --fast', 'pytest tests/unit'])(
    '%s is fine',
    (pattern) => expect(() => checkPermittedCommands([pattern])).not.toThrow(),
  );

  it.each([
    ...['', ' ', '*', 'npm  test', 'npm test)', 'npm test,Bash(*', 'npm * test', 'npm te*', 'a;b', 'a && b'],
    ...['echo $HOME', 'echo `id`', "echo 'x'", 'echo "x"', 'a|b', 'a\nb', 'a > b', 'npm test:*', 'ünder'],
  ])('%j is refused', (pattern) => {
    expect(thrownCode(() => checkPermittedCommands(['npm test', pattern]))).toBe('config-invalid');
  });
});

describe('isPermittedCommand', () => {
  it.each<[string, string[], boolean]>([
    ['npm test', ['npm', 'test'], true],
    ['npm test', ['npm', 'test', '--all'], false],
    ['npm test', ['npm'], false],
    ['npm run *', ['npm', 'run', 'lint', '--fix'], true],
    ['npm run *', ['npm', 'runs'], false],
    ['npm run *', ['npm', 'test'], false],
    ['npm test', ['npm test'], false],
  ])('%s, %j: %s', (pattern, command, expected) => {
    expect(isPermittedCommand([pattern], command)).toBe(expected);
  });

  it('nothing is allowed without a pattern', () => expect(isPermittedCommand([], ['ls'])).toBe(false));
});
