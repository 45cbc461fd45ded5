/**
 * Checks what the analyst says against the repository, before a writer is paid: the files that it names, the test that it
 * demands, and the limits that it sets. All problems are told at once, so that one more answer can repair them all.
 */
import { isSteeringPath, judgePath } from '../../../../domain/changes/path-class.ts';
import { foldName } from '../../../../domain/changes/plain-path.ts';
import { type TestRunner, testRunners } from '../../../../domain/changes/test-runners.ts';
import { inertCode } from '../../../../domain/text/inert-markdown.ts';
import { FileTree, foldersAbove, isUsablePath } from '../../../rules/file-tree.ts';
import { isSecretPath } from '../secret-path.ts';
import type { IssueType } from '../triage/triage.ts';
import { type Analysis, type AnalysisFile, type AnalysisProblem, isBlank } from './analysis.ts';
import { checkLimits } from './check-limits.ts';

export interface AnalysisFacts {
  readonly type: IssueType;
  /** The paths of the files in the base. */
  readonly files: readonly string[];
  /** Those that the project has; empty when they are not known, and then every known runner counts. */
  readonly runners: readonly TestRunner[];
}

class Check {
  readonly problems: AnalysisProblem[] = [];
  readonly #tree: FileTree;
  readonly #runners: readonly TestRunner[];
  /** Paths as the most forgiving disk sees them; made when it is first asked. */
  #folded: ReadonlyMap<string, string> | null = null;

  constructor({ files, runners }: AnalysisFacts) {
    this.#tree = new FileTree(files);
    this.#runners = runners.length === 0 ? testRunners : runners;
  }

  add(path: string, message: string, suggestion: string): void {
    this.problems.push({ path, message, suggestion });
  }

  /** Whether a path may be opened at all and be given to an agent. */
  #isOpen(place: string, path: string): boolean {
    const name = inertCode(path);
    if (!isUsablePath(path))
      this.add(
        place,
        `${name} is not a path inside the repository.`,
        'Give a path from the root of the repository, with forward slashes.',
      );
    else if (isSteeringPath(path))
      this.add(
        place,
        `${name} steers builds or agents; only a person changes it.`,
        'Leave it out, or say in the brief what a person has to do.',
      );
    else if (isSecretPath(path)) this.add(place, `${name} may hold secrets.`, 'Leave it out.');
    else return true;
    return false;
  }

  #guess(path: string, otherwise: string): string {
    const names = this.#tree.guess(path).map((one) => inertCode(one));
    return names.length === 0 ? otherwise : `Did you mean ${names.join(' or ')}?`;
  }

  /** The file that a new path would be the same as on a disk that is less exact than git. */
  #twinOf(path: string): string | null {
    const fold = (one: string): string => one.split('/').map(foldName).join('/');
    this.#folded ??= new Map([...this.#tree.files].map((one) => [fold(one), one]));
    return this.#folded.get(fold(path)) ?? null;
  }

  #checkNew(place: string, path: string): void {
    const name = inertCode(path);
    const twin = this.#twinOf(path);
    const file = foldersAbove(path).find((folder) => this.#tree.files.has(folder));
    if (this.#tree.files.has(path)) this.add(place, `${name} exists already.`, 'Call the action "modify".');
    else if (this.#tree.folders.has(path)) this.add(place, `${name} is a folder.`, 'Name a file.');
    else if (file !== undefined)
      this.add(
        place,
        `${inertCode(file)} is a file, so ${name} cannot be put into it.`,
        'Put it into a folder.',
      );
    else if (twin !== null)
      this.add(
        place,
        `${name} is the same file as ${inertCode(twin)} on some disks.`,
        'Choose another name.',
      );
  }

  checkFile({ path, action }: AnalysisFile, index: number, seen: Set<string>): void {
    const place = `files[${index}].path`;
    if (!this.#isOpen(place, path)) return;
    const name = inertCode(path);
    if (seen.has(path)) this.add(place, `${name} is listed twice.`, 'Keep one entry for each file.');
    seen.add(path);
    if (action === 'create') this.#checkNew(place, path);
    else if (this.#tree.folders.has(path)) this.add(place, `${name} is a folder.`, 'Name the files in it.');
    else if (!this.#tree.files.has(path))
      this.add(
        place,
        `${name} does not exist, so it cannot be ${action === 'modify' ? 'modified' : 'deleted'}.`,
        this.#guess(path, 'Name a file that exists, or call the action "create".'),
      );
  }

  /** Where the test is to stand: a file that the project's runner would run, in a folder that is there or nearly so. */
  checkLocation(path: string, files: readonly AnalysisFile[]): void {
    const place = 'test_requirement.location';
    if (!this.#isOpen(place, path)) return;
    const name = inertCode(path);
    const [parent = '', grandparent = ''] = foldersAbove(path);
    const judged = judgePath(path, this.#runners);
    if (judged.class === 'odd-name')
      this.add(
        place,
        `${name} does not count as a test: ${judged.what}.`,
        'Name it plainly, beside the tests that are there.',
      );
    else if (judged.class !== 'test')
      this.add(
        place,
        `${name} is no file that the tests of this project would run.`,
        `Name it as ${this.#runners
          .map((runner) => runner.name)
          .slice(0, 3)
          .join(', ')} expects, beside the tests that are there.`,
      );
    else if (files.some((file) => file.path === path && file.action === 'delete'))
      this.add(place, `${name} is to be deleted.`, 'Put the test into a file that stays.');
    else if (!this.#tree.files.has(path)) {
      this.#checkNew(place, path);
      if (!this.#tree.folders.has(parent) && !this.#tree.folders.has(grandparent))
        this.add(
          place,
          `There is no folder ${inertCode(parent)}, and none above it, in the repository.`,
          this.#guess(path, 'Use a folder that is there.'),
        );
    }
  }
}

const wantedTests = { BUG_FIX: 'regression', NEW_FEATURE: 'happy_path' } as const;
const wantedWords = {
  BUG_FIX: 'A bug fix needs one regression test, which fails on the old code and passes on the new.',
  NEW_FEATURE: 'A new feature needs one test of its happy path.',
} as const;

function checkTest(check: Check, { test_requirement: test, files }: Analysis, type: IssueType): void {
  const place = 'test_requirement';
  if (test === null) {
    check.add(
      place,
      'The analysis does not say which test is required.',
      'Give the requirement, also for none.',
    );
    return;
  }
  if (type === 'REFACTOR_STYLE') {
    if (test.required || (test.type !== 'none' && test.type !== null))
      check.add(
        place,
        'A refactoring needs no new test: the tests that are there have to pass.',
        'Set required to false and type to "none".',
      );
    return;
  }
  if (!test.required) check.add(`${place}.required`, wantedWords[type], 'Set required to true.');
  if (test.type !== wantedTests[type])
    check.add(`${place}.type`, wantedWords[type], `Set type to "${wantedTests[type]}".`);
  if (isBlank(test.description))
    check.add(
      `${place}.description`,
      'The test has no description.',
      'Say what the test shows, in one sentence.',
    );
  if (test.location === null || isBlank(test.location))
    check.add(`${place}.location`, 'The test has no location.', 'Give the path of the test file.');
  else check.checkLocation(test.location, files);
}

/** Every problem of an analysis, in the order of its fields; none when a writer can begin. */
export function checkAnalysis(analysis: Analysis, facts: AnalysisFacts): readonly AnalysisProblem[] {
  const check = new Check(facts);
  if (isBlank(analysis.brief))
    check.add('brief', 'The brief is empty.', 'Say what the writer has to know, in Markdown.');
  if (analysis.files.length === 0)
    check.add(
      'files',
      'The analysis names no file.',
      'List the files that are created, modified or deleted.',
    );
  const seen = new Set<string>();
  for (const [index, file] of analysis.files.entries()) check.checkFile(file, index, seen);
  checkTest(check, analysis, facts.type);
  check.problems.push(...checkLimits(analysis));
  return check.problems;
}
