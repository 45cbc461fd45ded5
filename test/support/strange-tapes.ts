/** Recordings as another hand may have changed them: one call has another answer. */
import fc from 'fast-check';
import type { Tape } from '../../src/domain/recordings/tape.ts';

type Calls = Tape['calls'];

const strange = fc.oneof(
  fc.constant('../../../etc/passwd'),
  fc.constant('$(touch owned)'),
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown),
  fc.constant({ $date: 'never' }),
  fc.constantFrom('then', 'constructor', '__proto__').map((name) => JSON.parse(`{"${name}":"x"}`) as unknown),
);

export function strangeCalls(calls: Calls): fc.Arbitrary<Calls> {
  return fc.tuple(fc.nat(calls.length - 1), strange, fc.boolean()).map(([at, value, isError]) =>
    calls.map((call, index) => {
      if (index !== at) return call;
      const { value: _, error: __, ...rest } = call;
      return isError
        ? { ...rest, error: { code: 'internal', message: JSON.stringify(value) } }
        : { ...rest, value: value as never };
    }),
  );
}
