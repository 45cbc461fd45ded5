/** Make: by the names of targets. */
import { firstName, type ProjectFacts, type Recipe } from './recipe.ts';

export function detectMake({ names, textOf }: ProjectFacts): Recipe | null {
  const file = firstName(names, ['GNUmakefile', 'makefile', 'Makefile']);
  if (file === null) return null;
  const text = textOf(file) ?? '';
  const target = (...wanted: string[]): string | null => {
    const found = wanted.find((name) => new RegExp(`^${name}[ \\t]*:(?!=)`, 'mu').test(text));
    return found === undefined ? null : `make ${found}`;
  };
  const [setup, verify] = [target('setup', 'deps'), target('test', 'check')];
  if (verify === null) return null;
  return {
    ...{ program: 'make', file, setup, hosts: [], verify },
    lint: target('lint'),
    types: target('typecheck', 'type-check', 'types', 'check-types'),
    testNotes: [],
    setupNotes: setup === null ? [] : [`add the hosts that "${setup}" has to reach to fleet.setupHosts`],
    checkNotes: [],
  };
}
