/** The few actions of GitHub's own that workflows here use, each doing for real what it does there. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ArtifactStore, CacheStore } from './action-stores.ts';

export interface ActionUse {
  readonly inputs: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly workspace: string;
  /** Where the work tree of git is fetched from, without the name of a repository. */
  readonly serverUrl: string;
  readonly repository: string;
  readonly token: string;
  readonly ref: string;
  readonly sha: string;
  readonly run: number;
  readonly artifacts: ArtifactStore;
  readonly caches: CacheStore;
  readonly nextId: () => number;
  readonly now: () => string;
  readonly log: (line: string) => void;
  readonly addPath: (path: string) => void;
}

export interface ActionResult {
  readonly outputs: Readonly<Record<string, string>>;
  /** What is done when the job ends, and how it went. */
  readonly post?: (isSuccess: boolean) => void;
}

interface BuiltinAction {
  /** Inputs with what they are when nothing is given; others are refused. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly run: (use: ActionUse) => Promise<ActionResult> | ActionResult;
}

const execute = promisify(execFile);
const isTrue = (text: string | undefined): boolean => text?.toLowerCase() === 'true';
const linesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

async function git(use: ActionUse, cwd: string, ...words: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute('git', words, {
      cwd,
      env: { ...use.environment, GIT_TERMINAL_PROMPT: '0' },
    });
    return stdout.trim();
  } catch (error) {
    throw new Error(`git ${words.at(-2) ?? ''} failed: ${(error as { stderr?: string }).stderr ?? error}`);
  }
}

async function checkOut(use: ActionUse): Promise<ActionResult> {
  const { inputs } = use;
  const folder = resolve(use.workspace, inputs.path ?? '');
  const repository = inputs.repository || use.repository;
  const token = inputs.token || use.token;
  mkdirSync(folder, { recursive: true });
  await git(use, folder, 'init', '--quiet', '--initial-branch=main', '.');
  await git(use, folder, 'remote', 'add', 'origin', `${use.serverUrl}/${repository}`);
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  const setting = `http.${use.serverUrl}/.extraheader`;
  const header = `AUTHORIZATION: basic ${basic}`;
  const depth = inputs['fetch-depth'] === '0' ? [] : [`--depth=${inputs['fetch-depth']}`];
  const ref = inputs.ref ?? '';
  const isOwn = ref === '' && repository === use.repository;
  const wanted = isOwn ? use.sha : ref === '' ? 'HEAD' : ref;
  const words = ['-c', `${setting}=${header}`, 'fetch', '--quiet', '--no-tags', ...depth, 'origin'];
  // Apart, so that what is checked out is what was asked for, and not the first of all branches.
  if (depth.length === 0) await git(use, folder, ...words, '+refs/heads/*:refs/remotes/origin/*');
  await git(use, folder, ...words, wanted);
  const branch = (isOwn ? use.ref : ref).replace(/^refs\/heads\//u, '');
  const isBranch = branch !== '' && !/^[\da-f]{40}$/u.test(branch) && !branch.startsWith('refs/');
  await git(
    use,
    folder,
    'checkout',
    '--quiet',
    '--force',
    ...(isBranch ? ['-B', branch] : ['--detach']),
    'FETCH_HEAD',
  );
  if (isTrue(inputs['persist-credentials'])) await git(use, folder, 'config', setting, header);
  const commit = await git(use, folder, 'rev-parse', 'HEAD');
  use.log(`Checked out ${repository} at ${commit}`);
  return { outputs: { ref, commit } };
}

/** There is one Node.js here; another version that is asked for is an error. */
function setUpNode(use: ActionUse): ActionResult {
  const wanted = (use.inputs['node-version'] ?? '').replace(/^v|\.x$/gu, '');
  const version = process.versions.node;
  if (wanted !== version.slice(0, wanted.length)) throw new Error(`There is no Node.js ${wanted} here.`);
  use.addPath(dirname(process.execPath));
  return { outputs: { 'node-version': `v${version}`, 'cache-hit': 'false' } };
}

function uploadArtifact(use: ActionUse): ActionResult {
  const { inputs, artifacts, run } = use;
  const name = inputs.name ?? '';
  const id = use.nextId();
  const about = { id, run, name, at: use.now() };
  const how = {
    isHiddenToo: isTrue(inputs['include-hidden-files']),
    isOverwriting: isTrue(inputs.overwrite),
  };
  const count = artifacts.add(about, linesOf(inputs.path), use.workspace, how);
  if (count === null) {
    const message = `No files were found with the provided path: ${inputs.path}. No artifacts will be uploaded.`;
    if (inputs['if-no-files-found'] === 'error') throw new Error(message);
    if (inputs['if-no-files-found'] !== 'ignore') use.log(`::warning::${message}`);
    return { outputs: {} };
  }
  use.log(`Artifact ${name} has been uploaded with ${count} files`);
  return { outputs: { 'artifact-id': String(id) } };
}

function downloadArtifact(use: ActionUse): ActionResult {
  const { inputs } = use;
  const path = resolve(use.workspace, inputs.path ?? '');
  const ofRun = use.artifacts.ofRun(use.run);
  const found = inputs.name === '' ? ofRun : ofRun.filter(({ name }) => name === inputs.name);
  if (inputs.name !== '' && found.length === 0)
    throw new Error(`Unable to download artifact(s): Artifact not found for name: ${inputs.name}`);
  for (const { folder, name } of found) {
    const target = inputs.name !== '' || isTrue(inputs['merge-multiple']) ? path : join(path, name);
    mkdirSync(target, { recursive: true });
    for (const one of readdirSync(folder)) cpSync(join(folder, one), join(target, one), { recursive: true });
  }
  return { outputs: { 'download-path': path } };
}

function useCache(isSaving: boolean): BuiltinAction['run'] {
  return (use) => {
    const { inputs, caches } = use;
    const home = use.environment.HOME ?? '';
    const paths = linesOf(inputs.path).map((one) => resolve(use.workspace, one.replace(/^~(?=\/|$)/u, home)));
    const key = inputs.key ?? '';
    const refs = [...new Set([use.ref, 'refs/heads/main'])];
    const version = inputs.path ?? '';
    const found = caches.restore(refs, [key, ...linesOf(inputs['restore-keys'])], version, paths);
    if (found === null && isTrue(inputs['fail-on-cache-miss'])) throw new Error(`No cache for ${key}`);
    use.log(found === null ? `Cache not found for ${key}` : `Cache restored from key: ${found}`);
    const outputs = {
      'cache-hit': String(found === key),
      'cache-primary-key': key,
      'cache-matched-key': found ?? '',
    };
    if (!isSaving || found === key) return { outputs };
    return { outputs, post: (isSuccess) => void (isSuccess && caches.save(use.ref, key, version, paths)) };
  };
}

const cacheInputs = { path: '', key: '', 'restore-keys': '', 'fail-on-cache-miss': 'false' };

/** By name; the version after `@` is the file's own matter, and `gatewright actions lint` looks at it. */
export const builtinActions: Readonly<Record<string, BuiltinAction>> = {
  'actions/checkout': {
    inputs: {
      ...{ repository: '', ref: '', token: '', path: '', 'fetch-depth': '1', 'persist-credentials': 'true' },
    },
    run: checkOut,
  },
  'actions/setup-node': {
    inputs: { 'node-version': '', 'package-manager-cache': 'true', 'check-latest': 'false' },
    run: setUpNode,
  },
  'actions/upload-artifact': {
    inputs: {
      ...{ name: 'artifact', path: '', 'if-no-files-found': 'warn', 'retention-days': '' },
      ...{ 'include-hidden-files': 'false', 'compression-level': '6', overwrite: 'false' },
    },
    run: uploadArtifact,
  },
  'actions/download-artifact': {
    inputs: { name: '', path: '', 'merge-multiple': 'false' },
    run: downloadArtifact,
  },
  'actions/cache': { inputs: cacheInputs, run: useCache(true) },
  'actions/cache/restore': { inputs: cacheInputs, run: useCache(false) },
  'actions/cache/save': {
    inputs: { path: '', key: '' },
    run: (use) => {
      const paths = linesOf(use.inputs.path).map((one) => resolve(use.workspace, one));
      use.caches.save(use.ref, use.inputs.key ?? '', use.inputs.path ?? '', paths);
      return { outputs: {} };
    },
  },
};
