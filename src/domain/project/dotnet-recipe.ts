/** .NET: a solution or a project in the root. */
import { noteUnlessIgnored, type ProjectFacts, type Recipe } from './recipe.ts';

const buildFile = /\.(?:slnx?|csproj|fsproj|vbproj)$/u;
const packages = '.dotnet/packages';

export function detectDotnet(facts: ProjectFacts): Recipe | null {
  const { names } = facts;
  const [first, ...more] = [...names].filter((name) => buildFile.test(name)).sort();
  if (first === undefined) return null;
  // Its name is the repository's and cannot stand in a command, so that there may be only one.
  const isSingle = more.length === 0;
  const only = (command: string): string | null => (isSingle ? command : null);
  return {
    program: 'dotnet',
    // The name is shown to people, and anything can be a name.
    file: `*${/\.[^.]*$/u.exec(first)?.[0] ?? ''}`,
    setup: only(`dotnet restore --packages ${packages}`),
    hosts: ['api.nuget.org:443'],
    verify: only('dotnet test --no-restore'),
    // Without the project's rules it would judge by its own.
    lint: names.has('.editorconfig') ? only('dotnet format --no-restore --verify-no-changes') : null,
    types: only('dotnet build --no-restore'),
    testNotes: isSingle ? [] : ['the root holds several solutions or projects, so no command is proposed'],
    setupNotes: isSingle ? noteUnlessIgnored(facts, packages, '.dotnet') : [],
    checkNotes: [],
  };
}
