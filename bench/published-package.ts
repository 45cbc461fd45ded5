/** The program as it is published, and the peer bundled the same way, in a folder from which node_modules is found. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, bundleQuick, programEntries } from '../scripts/bundle.ts';
import { linkPackages, makeRunFolder } from '../test/support/run-folder.ts';

const root = join(import.meta.dirname, '..');

/** Everything that benches make. */
export const benchFolder = makeRunFolder('bench');
linkPackages(benchFolder);
process.once('exit', () => rmSync(benchFolder, { recursive: true, force: true }));

export const packageFolder = join(benchFolder, 'package');
export const programFile = join(packageFolder, 'bin', 'gatewright.cjs');

/** The peer from its source and from hundreds of files in node_modules. */
export const peerSource = join(import.meta.dirname, 'bare-langgraph.ts');
export const peerBundle = join(benchFolder, 'peer', 'bare-langgraph.js');

/** Builds the program and lays it out as an installed package has it: no sources, so the built files are what runs. */
export async function layOutPackage(): Promise<void> {
  mkdirSync(packageFolder, { recursive: true });
  await bundle(programEntries, join(packageFolder, 'dist'));
  await bundleQuick(join(packageFolder, 'dist'));
  for (const part of ['bin', 'prompts', 'templates', 'demo', 'package.json']) {
    cpSync(join(root, part), join(packageFolder, part), { recursive: true });
  }
}

/**
 * Bundles the peer as our program is bundled, and says what kind of module it is. Loading LangGraph from its own files
 * takes several times as long, and without that word Node compiles the whole file a second time; compared with that, our
 * program would look good for a reason that is none of its own.
 */
export async function bundlePeer(): Promise<void> {
  await bundle({ 'bare-langgraph': peerSource }, join(benchFolder, 'peer'));
  writeFileSync(join(benchFolder, 'peer', 'package.json'), '{"private":true,"type":"module"}\n');
}

const barePipelineSource = join(import.meta.dirname, 'bare-pipeline.ts');
export const barePipeline = join(benchFolder, 'peer', 'bare-pipeline.js');

export async function bundleBarePipeline(): Promise<void> {
  await bundle({ 'bare-pipeline': barePipelineSource }, join(benchFolder, 'peer'));
}
