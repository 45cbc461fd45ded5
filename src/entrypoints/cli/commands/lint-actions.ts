/** `actions lint`: the faults of workflow files, for people, for programs and as annotations. */
import { statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { countOf } from '../../../domain/text/count-of.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';
import { GatewrightError } from '../../../errors.ts';
import { findWorkflowFiles, readWorkflowFile } from '../../../setup/actions/find-workflow-files.ts';
import {
  type LintFinding,
  lintWorkflows,
  type WorkflowFile,
} from '../../../setup/actions/rules/lint-workflows.ts';
import type { App } from '../app.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Given, Handler } from '../table/command.ts';
import { annotationLine } from '../views/actions/annotations.ts';
import type { Terminal } from '../views/terminal.ts';

const colours = { error: 'red', warning: 'yellow', note: 'cyan' } as const;

/** As GitHub calls them in a workflow run. */
const annotations = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** Shown from the root of the repository, with forward slashes, as workflows name each other. */
function shownPath(root: string, file: string): string {
  const path = relative(root, file);
  return (path.startsWith('..') ? file : path).split(sep).join('/');
}

function readFolder(folder: string, root: string): WorkflowFile[] {
  return findWorkflowFiles(folder).map((path) => {
    const file = join(folder, path);
    return readWorkflowFile(file, shownPath(root, file));
  });
}

async function readFiles(app: App, given: Given): Promise<WorkflowFile[]> {
  const root = (await app.findRoot(given.text('repo'))) ?? process.cwd();
  if (given.args.length === 0) return readFolder(root, root);
  const files = given.args.flatMap((named) => {
    const file = resolve(named);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) {
      const below = readFolder(file, root);
      if (below.length > 0) return below;
      throw new GatewrightError('usage', `${named} contains no workflow files.`, {
        hint: 'Name files, or the folder that contains .github/workflows.',
      });
    }
    if (found?.isFile() !== true)
      throw new GatewrightError('usage', `There is no file ${named}.`, { hint: 'Check the path.' });
    return [readWorkflowFile(file, shownPath(root, file))];
  });
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

function said({ rule, detail }: LintFinding): string {
  return detail === '' ? rule : `${rule}: ${escapeForLine(detail)}`;
}

function showFinding(terminal: Terminal, finding: LintFinding): void {
  const { file, line, column, severity, why, fix } = finding;
  const place = `${escapeForLine(file)}:${line}:${column}`;
  terminal.print(`${place}: ${terminal.style(colours[severity], severity)} ${said(finding)}`);
  terminal.print(`  ${why}`);
  terminal.print(`  fix: ${fix}`);
}

function annotation({ file, line, column, rule, severity, detail, why, fix }: LintFinding): string {
  const about = detail === '' ? '' : `${escapeForLine(detail)}: `;
  const level = annotations[severity];
  return annotationLine({ level, file, line, column, title: rule, message: `${about}${why} ${fix}` });
}

export const lintActions: Handler = async (app, given) => {
  const { terminal } = app;
  const files = await readFiles(app, given);
  const { findings, allowed } = lintWorkflows(files);
  const count = (severity: LintFinding['severity']): number =>
    findings.filter((one) => one.severity === severity).length;
  const counted = given.flag('strict') ? findings.length : count('error') + count('warning');
  const code = counted === 0 ? exitCodes.done.code : exitCodes.failed.code;
  if (given.flag('json')) {
    terminal.printJson({ isClean: counted === 0, files: files.map(({ path }) => path), findings, allowed });
    return code;
  }
  if (given.text('format') === 'github')
    for (const finding of findings) terminal.printCommand(annotation(finding));
  else {
    for (const finding of findings) showFinding(terminal, finding);
    for (const { file, line, rule, reason } of allowed)
      terminal.print(`${escapeForLine(file)}:${line}: allowed ${rule}: ${escapeForLine(reason)}`);
  }
  terminal.say(
    files.length === 0
      ? 'There are no workflow files here.'
      : `${countOf(files.length, 'file')}: ${countOf(count('error'), 'error')}, ${countOf(count('warning'), 'warning')}, ${countOf(count('note'), 'note')}, ${allowed.length} allowed.`,
  );
  return code;
};
