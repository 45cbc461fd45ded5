/** Changes that may be merged without a person, drawn like the hostile ones. */
import fc from 'fast-check';
import { type Change, file, stem, text } from './change-steps.ts';

const plainStem = stem.map((name) => `zz${name}`);
/** May be merged without a person; the name tells them apart. */
export const harmlessChange: fc.Arbitrary<Change> = plainStem.chain((name) =>
  fc.constantFrom<Change>(
    { kind: 'prose', steps: [file(`docs/${name}.md`, text)] },
    { kind: 'prose at the root', steps: [file(`${name}.md`, text)] },
    {
      kind: 'prose of a package',
      steps: [file(`packages/x/docs/${name}.md`, text), file(`src/${name}/README.md`, text)],
    },
    { kind: 'a test', steps: [file(`test/${name}.test.mjs`, "import test from 'node:test';\n")] },
    {
      kind: 'source with its test',
      steps: [
        file(`src/${name}.mjs`, 'export const a = 1;\n'),
        file(`test/${name}.test.mjs`, "import '../src/sum.mjs';\n"),
      ],
    },
    {
      kind: 'source of a package with its test',
      steps: [
        file(`packages/x/src/${name}.mjs`, text),
        file(`test/${name}.test.mjs`, text),
        file(`docs/${name}.md`, text),
      ],
    },
  ),
);
