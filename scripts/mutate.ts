/**
 * Mutation testing: changes the rules that grant or refuse, one place at a time, and sees whether a test notices. Groups are
 * run one after the other, each with its own tests. Says what no test noticed and what was ended by the time limit, which a
 * busy machine may have caused; fails below the score of the configuration. `--mutate src/domain/x.ts` takes one file only,
 * `src/domain/x.ts:10-40` some lines of it; several are separated by commas. `--concurrency 2` tests two mutants at a time,
 * `--progress` says how far it is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { mutationGroups } from './mutation-groups.ts';

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const root = join(import.meta.dirname, '..');
const { thresholds } = JSON.parse(readFileSync(join(root, 'stryker.config.json'), 'utf8')) as {
  readonly thresholds: { readonly low: number };
};

const isNoticed = ({ status }: Mutant): boolean => status === 'Killed' || status === 'Timeout';
const isMissed = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage';

function score(mutants: readonly Mutant[]): number {
  const noticed = mutants.filter(isNoticed).length;
  const counted = noticed + mutants.filter(isMissed).length;
  return counted === 0 ? 100 : (100 * noticed) / counted;
}

function describeScore(name: string, mutants: readonly Mutant[]): string {
  const missed = mutants.filter(isMissed).length;
  return `${score(mutants).toFixed(1).padStart(5)} %  ${name}: ${mutants.length} mutants, ${missed} not noticed\n`;
}

/** The place, what stands there and what was put in its place. */
function describeMutant(file: string, { location, replacement, mutatorName, status }: Mutant): string {
  const { start, end } = location;
  const lines = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const first = (lines[0] ?? '').slice(start.column - 1, lines.length === 1 ? end.column - 1 : undefined);
  const brief = (text: string): string => text.replaceAll(/\s+/gu, ' ').slice(0, 100);
  const how = status === 'Timeout' ? 'ended by the time limit: ' : '';
  return `         ${file}:${start.line}:${start.column} ${how}${mutatorName}: ${brief(first)} → ${brief(replacement ?? '')}\n`;
}

const { values } = parseArgs({
  options: { mutate: { type: 'string' }, concurrency: { type: 'string' }, progress: { type: 'boolean' } },
});
const concurrency = Number(values.concurrency ?? '1');
const reporters = values.progress === true ? ['progress-append-only'] : [];
const known = mutationGroups.flatMap(({ files }) => files);
const only = values.mutate?.split(',') ?? known;
const fileOf = (pattern: string): string => pattern.replace(/:\d+(?::\d+)?-\d+(?::\d+)?$/u, '');
for (const pattern of only)
  if (!known.includes(fileOf(pattern)))
    throw new Error(`${pattern} is in no group of scripts/mutation-groups.ts.`);

// A rule or a test that was moved would not be asked any more, and nothing would say so.
for (const path of mutationGroups.flatMap(({ files, tests }) => [...files, ...tests]))
  if (!existsSync(join(root, path)))
    throw new Error(`${path} does not exist; see scripts/mutation-groups.ts.`);

const all: Mutant[] = [];
for (const { about, files, tests } of mutationGroups) {
  const wanted = only.filter((pattern) => files.includes(fileOf(pattern)));
  if (wanted.length === 0) continue;
  process.env.GATEWRIGHT_MUTATE_TESTS = tests.join(',');
  const mutants = await new Stryker({ mutate: wanted, concurrency, reporters }).runMutationTest();
  process.stdout.write(`${about}\n`);
  for (const file of new Set(wanted.map(fileOf))) {
    const ofFile = mutants.filter(({ fileName }) => relative(root, fileName) === file);
    if (ofFile.length === 0) throw new Error(`${file} has nothing to change, or was moved.`);
    process.stdout.write(describeScore(file, ofFile));
    for (const mutant of ofFile.filter((one) => isMissed(one) || one.status === 'Timeout'))
      process.stdout.write(describeMutant(file, mutant));
  }
  all.push(...mutants);
}
process.stdout.write(describeScore('together', all));
if (score(all) < thresholds.low) process.exitCode = 1;
