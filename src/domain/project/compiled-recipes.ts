/** Go and Rust: their own program tests, lints and checks types. */
import { noteMissing, noteUnlessIgnored, type ProjectFacts, type Recipe } from './recipe.ts';

const golangciFiles = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'];

/** `gofmt -l` ends well whatever it finds, so formatting is checked only where golangci-lint does it. */
function goChecks({ names, hasProgram }: ProjectFacts): Pick<Recipe, 'lint' | 'types' | 'checkNotes'> {
  const isSet = golangciFiles.some((name) => names.has(name));
  if (isSet && hasProgram('golangci-lint'))
    return { lint: 'golangci-lint run', types: 'go vet ./...', checkNotes: [] };
  return {
    lint: 'go vet ./...',
    // Without a target, a single program would be written into the project.
    types: 'go build -o /dev/null ./...',
    checkNotes: isSet ? ['golangci-lint is set up, but not on your PATH: "go vet" takes its place'] : [],
  };
}

export function detectGo(facts: ProjectFacts): Recipe | null {
  const { names } = facts;
  if (!names.has('go.mod')) return null;
  const needsModules = names.has('go.sum') && !names.has('vendor');
  return {
    program: 'go',
    file: 'go.mod',
    // The usual cache is in the home folder; a vendor folder is used without further words.
    setup: needsModules ? 'go mod vendor' : null,
    hosts: ['proxy.golang.org:443', 'sum.golang.org:443'],
    verify: 'go test ./...',
    ...goChecks(facts),
    testNotes: [],
    setupNotes: needsModules ? noteUnlessIgnored(facts, 'vendor') : [],
  };
}

export function detectCargo(facts: ProjectFacts): Recipe | null {
  const { names, hasProgram } = facts;
  if (!names.has('Cargo.toml')) return null;
  const home = 'env CARGO_HOME=target/cargo-home cargo';
  const hasClippy = hasProgram('cargo-clippy');
  return {
    program: 'cargo',
    file: 'Cargo.toml',
    setup: `${home} fetch${names.has('Cargo.lock') ? ' --locked' : ''}`,
    hosts: ['index.crates.io:443', 'static.crates.io:443'],
    verify: `${home} test --offline`,
    // Which warnings are errors is the project's to say, in its settings of lints.
    lint: hasClippy ? `${home} clippy --offline --all-targets` : null,
    types: `${home} check --offline --all-targets`,
    testNotes: [],
    setupNotes: noteUnlessIgnored(facts, 'target'),
    checkNotes: hasClippy ? [] : [noteMissing('clippy', 'lint')],
  };
}
