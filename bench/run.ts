/**
 * Runs every bench and shows what came of it; with BENCH_RESULTS=FOLDER it also keeps the table there. A missed goal is
 * a fact to look at, not a failure: the exit code only tells whether everything could be measured.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { benchActionsWeek } from './actions-week.ts';
import { benchChain } from './chain.ts';
import { benchColdStart } from './cold-start.ts';
import { benchGitLedger } from './git-ledger.ts';
import { benchLoopContext } from './loop-context.ts';
import { benchLoopTask } from './loop-task.ts';
import type { Row } from './measure.ts';
import { benchMergeQueue } from './merge-queue.ts';
import { benchPipeline } from './pipeline.ts';
import { benchPromptCache } from './prompt-cache.ts';
import { layOutPackage } from './published-package.ts';
import { benchQuietEvents } from './quiet-events.ts';
import { benchScheduledCalls } from './scheduled-calls.ts';
import { benchServeLoad } from './serve-load.ts';
import { benchVerifyLedger } from './verify-ledger.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWholeRun } from './whole-run.ts';

const benches = {
  'cold-start': benchColdStart,
  'whole-run': benchWholeRun,
  chain: benchChain,
  'loop-context': benchLoopContext,
  'loop-task': benchLoopTask,
  pipeline: benchPipeline,
  'prompt-cache': benchPromptCache,
  'merge-queue': benchMergeQueue,
  'scheduled-calls': benchScheduledCalls,
  webhooks: benchWebhooks,
  'quiet-events': benchQuietEvents,
  'verify-ledger': benchVerifyLedger,
  'git-ledger': benchGitLedger,
  'actions-week': benchActionsWeek,
  'serve-load': benchServeLoad,
};

const headings = ['name', 'ours', 'peer', 'ratio', 'goal', 'met'];

function toCells(row: Row): string[] {
  const amount = (value: number): string => `${value.toFixed(row.unit === 'runs' ? 2 : 1)} ${row.unit}`;
  return [
    row.name,
    amount(row.ours),
    `${amount(row.peer)} (${row.peerName})`,
    `${row.ratio.toFixed(2)}×`,
    row.goal || '–',
    row.isMet === null ? '–' : row.isMet ? 'met' : 'not met',
  ];
}

/** A Markdown table that also reads well on a terminal. */
function renderTable(rows: readonly Row[]): string {
  const cells = [headings, ...rows.map(toCells)];
  const widths = headings.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function writeResults(folder: string, rows: readonly Row[], failures: readonly string[]): void {
  const machine = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
  };
  const measuredAt = new Date().toISOString();
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'latest.json'),
    `${JSON.stringify({ measuredAt, machine, rows, failures }, null, 2)}\n`,
  );
  writeFileSync(
    join(folder, 'latest.md'),
    `# Benches

Measured ${measuredAt} on Node ${machine.node}, ${machine.platform}, ${machine.cores} × ${machine.cpu}. Each time and
size is the median of interleaved rounds of fresh processes; only the ratios mean anything on another machine. The costs
of the prompt cache are computed from the requests that the program sends, at list prices, four bytes to a token.

${renderTable(rows)}
${failures.map((failure) => `\nCould not be measured: ${failure}\n`).join('')}`,
  );
}

const rows: Row[] = [];
const failures: string[] = [];
const say = (text: string): void => void process.stderr.write(`${text}\n`);

say('building the package …');
await layOutPackage();
// Named benches alone, such as `npm run bench -- webhooks`; without names, all.
const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  say(`${name} …`);
  try {
    rows.push(...(await bench()));
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
process.stdout.write(`${renderTable(rows)}\n`);
const { BENCH_RESULTS: results = '' } = process.env;
if (results !== '') writeResults(results, rows, failures);
for (const failure of failures) say(`Could not be measured: ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
