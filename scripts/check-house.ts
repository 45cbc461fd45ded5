/**
 * What the walls cannot see: a file that has grown too long to be read in one go, a folder in which nothing is found, a
 * label that is spelled where it is used instead of once, and output that would stop the work when its reader has gone.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';
import { labelNames } from '../src/domain/forge/labels.ts';

const longest = 400;
const fullest = 25;
const labelFile = 'src/domain/forge/labels.ts';
const outputFile = 'src/entrypoints/cli/views/output-stream.ts';

/** Also words for something else: an agent, a workflow file, the state of a run. They count as labels where the code around them says so. */
const ambiguous = new Set<string>([
  ...[labelNames.autoMerge, labelNames.dailyDigest, labelNames.agent, labelNames.loop],
  ...[labelNames.blocked, labelNames.conflict, labelNames.hold, labelNames.stale, labelNames.pinned],
  ...[labelNames.bug, labelNames.feature, labelNames.chore, labelNames.security],
  ...[labelNames.documentation, labelNames.question, labelNames.planning, labelNames.healthReport],
]);
const known = new Set<string>(Object.values(labelNames));

const problems: string[] = [];

/** Whether what a string is compared with, passed to, listed in or kept as is called a label. */
function speaksOfLabels(node: ts.StringLiteralLike): boolean {
  let around: ts.Node = node.parent;
  while (
    ts.isArrayLiteralExpression(around) ||
    ts.isAsExpression(around) ||
    ts.isConditionalExpression(around) ||
    ts.isSpreadElement(around) ||
    ts.isParenthesizedExpression(around)
  )
    around = around.parent;
  const says = (part: ts.Node): boolean => /label/iu.test(part.getText());
  if (ts.isBinaryExpression(around)) return says(around.left) || says(around.right);
  if (ts.isCallExpression(around)) return says(around.expression);
  if (ts.isPropertyAssignment(around)) return around.name !== node && says(around.name);
  if (ts.isVariableDeclaration(around))
    return says(around.name) || (around.type !== undefined && says(around.type));
  return false;
}

function checkLabels(file: string, text: string): void {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && !ts.isImportDeclaration(node.parent) && known.has(node.text)) {
      if (!ambiguous.has(node.text) || speaksOfLabels(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        problems.push(`${file}:${line + 1} spells the label "${node.text}"; take it from ${labelFile}.`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

const folders = new Map<string, number>();
for (const file of globSync('{src,test,scripts,bench,bin}/**/*.{ts,tsx,cjs}')) {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').length - 1;
  if (lines > longest) problems.push(`${file} has ${lines} lines; ${longest} at most.`);
  if (!file.startsWith('src/') || /\.test\.tsx?$/u.test(file)) continue;
  folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
  if (file !== labelFile) checkLabels(file, text);
  if (
    file.startsWith('src/entrypoints/') &&
    /process\.std(?:out|err)\.write/u.test(text) &&
    file !== outputFile
  )
    problems.push(`${file} writes to a stream itself; use writeTo of ${outputFile}.`);
}
for (const [folder, count] of folders)
  if (count > fullest) problems.push(`${folder} holds ${count} source files; ${fullest} at most.`);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
