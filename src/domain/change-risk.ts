/**
 * How risky a change is, by rule: which paths it touches, how large it is, whether tests came with it. Decides the one
 * risk label of a pull request. A model may be of a graver opinion, never of a lighter one.
 */

/** From light to grave. */
export const riskLabels = ['auto-merge', 'needs-review', 'blocked'] as const;
export type RiskLabel = (typeof riskLabels)[number];

export interface ChangedPath {
  readonly path: string;
  readonly previousPath: string | null;
  readonly change: 'added' | 'modified' | 'removed' | 'renamed';
  readonly additions: number;
  readonly deletions: number;
  readonly isBinary: boolean;
}

export interface Risk {
  readonly label: RiskLabel;
  /** Why, one sentence each; for the pull request's text. */
  readonly reasons: readonly string[];
}

/** A change up to this many lines can be taken in at a glance. */
const fewLines = 50;

/** What decides about agents, merges or builds themselves. A change there is never merged without a person. */
const steering: readonly RegExp[] = [
  /^\.github\//iu,
  /^\.gitlab-ci\.yml$|^\.circleci\/|^azure-pipelines|^Jenkinsfile$/iu,
  /(^|\/)(CODEOWNERS|CLAUDE\.md|AGENTS\.md|GEMINI\.md|\.mcp\.json|\.cursorrules)$/iu,
  /(^|\/)\.(claude|cursor|agents|gatewright|husky|githooks|devcontainer|vscode)\//iu,
  /^gatewright\.config\.json$/iu,
  /(^|\/)\.(gitattributes|gitmodules|npmrc|yarnrc|yarnrc\.yml|envrc|env)$/iu,
];

/** What other people's code comes in by, or what a mistake in costs much. */
const delicate: readonly (readonly [RegExp, string])[] = [
  [
    /(^|\/)(package(-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pyproject\.toml|poetry\.lock|requirements[\w.-]*\.txt|Pipfile(\.lock)?|go\.(mod|sum)|Cargo\.(toml|lock)|Gemfile(\.lock)?|composer\.(json|lock)|build\.gradle(\.kts)?|pom\.xml)$/iu,
    'it changes dependencies',
  ],
  [/(^|\/)(migrations?|schema)(\/|\.)|\.sql$/iu, 'it changes a database'],
  [
    /(^|[/._-])(auth\w*|login|oauth|crypt\w*|secrets?|passwords?|permissions?|security|session|token)s?([/._-]|$)/iu,
    'it touches security',
  ],
  [
    /(^|\/)(Dockerfile|docker-compose[\w.-]*|Makefile|.*\.tf|.*\.(sh|bash|ps1))$/iu,
    'it changes how things are built or run',
  ],
];

const tests =
  /(^|\/)(tests?|specs?|__tests__|e2e|fixtures)\/|[._-](test|spec)s?\.[^/]+$|(^|\/)test_[^/]+\.py$|_test\.go$/iu;
const documents = /\.(md|mdx|rst|adoc|txt)$|^docs?\/|(^|\/)(LICENSE|CHANGELOG|README)[^/]*$/iu;

export function isTestPath(path: string): boolean {
  return tests.test(path);
}

function isDocument(path: string): boolean {
  return documents.test(path) && !isTestPath(path);
}

/** Whether an agent's change to this file has to be seen by a person, whatever else it is. */
export function isSteeringPath(path: string): boolean {
  return steeringRootOf(path) !== null;
}

/**
 * The file or folder that steers which a path is, or is in; null when it is none. A link in the place of such a folder
 * counts as much as what would be in it, and so does a folder in the place of such a file.
 */
export function steeringRootOf(path: string): string | null {
  const parts = path.split('/');
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  const steers = (one: string): boolean =>
    steering.some((pattern) => pattern.test(one) || pattern.test(`${one}/`));
  return prefixes.find(steers) ?? null;
}

function raise(a: RiskLabel, b: RiskLabel): RiskLabel {
  return riskLabels.indexOf(a) >= riskLabels.indexOf(b) ? a : b;
}

function pathsOf(file: ChangedPath): string[] {
  return file.previousPath === null ? [file.path] : [file.path, file.previousPath];
}

/** The same, or graver for a further reason. */
export function raiseRisk(risk: Risk, label: RiskLabel, reason: string): Risk {
  const isFirst = riskLabels.indexOf(risk.label) < riskLabels.indexOf(label) && risk.label === 'auto-merge';
  // What speaks for a light one is no reason for a grave one.
  return { label: raise(risk.label, label), reasons: [...(isFirst ? [] : risk.reasons), reason] };
}

/** @param opinion what the model that made the change thinks, if it said so */
export function assessRisk(files: readonly ChangedPath[], opinion: RiskLabel | null): Risk {
  const reasons: string[] = [];
  let label: RiskLabel = 'auto-merge';
  const because = (risk: RiskLabel, reason: string): void => {
    label = raise(label, risk);
    reasons.push(reason);
  };
  const lines = files.reduce((sum, file) => sum + file.additions + file.deletions, 0);
  const code = files.filter((file) => !isTestPath(file.path) && !isDocument(file.path));
  if (files.length === 0) because('blocked', 'It changes nothing.');
  const steered = files.flatMap(pathsOf).filter(isSteeringPath);
  if (steered.length > 0)
    because('blocked', `It changes what steers builds or agents: ${steered.slice(0, 3).join(', ')}.`);
  for (const [pattern, why] of delicate) {
    const found = files.flatMap(pathsOf).find((path) => pattern.test(path) && !isTestPath(path));
    if (found !== undefined) because('needs-review', `${found}: ${why}.`);
  }
  if (files.some((file) => file.isBinary))
    because('needs-review', 'It holds binary files, which nobody can read.');
  if (lines > fewLines)
    because('needs-review', `It changes ${lines} lines; up to ${fewLines} go without a person.`);
  if (files.some((file) => file.change === 'removed' && isTestPath(file.path)))
    because('needs-review', 'It removes tests.');
  const hasTests = files.some(
    (file) => isTestPath(file.path) && file.change !== 'removed' && file.additions > 0,
  );
  if (code.length > 0 && !hasTests) because('needs-review', 'It changes code and no test.');
  if (opinion !== null && riskLabels.indexOf(opinion) > riskLabels.indexOf(label))
    because(opinion, `Whoever made it calls it "${opinion}".`);
  if (reasons.length === 0) reasons.push('It is small, tested and touches nothing delicate.');
  return { label, reasons };
}
