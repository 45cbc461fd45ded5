/**
 * Templates fetched with git. Other authors wrote them, so only their objects are taken: nothing is checked out, no
 * hook is run, no attribute is read, no submodule is followed, and only protocols are allowed that start no other
 * program.
 */
import { isTemplateSource } from '../../domain/fleet/fleet-settings.ts';
import { sha256 } from '../../domain/ledger/hash.ts';
import { GatewrightError } from '../../errors.ts';
import type { TemplateSource } from '../../ports/template-source.ts';
import { BareGit } from './bare-git.ts';
import type { Environment } from './git-environment.ts';
import { keepCommit } from './kept-commits.ts';

/** Where templates are kept; nothing else of ours or of the person's is there. */
const prefix = 'refs/gatewright/template/';

const settings = [
  ...['-c', 'protocol.allow=never', '-c', 'protocol.https.allow=always'],
  ...['-c', 'protocol.ssh.allow=always', '-c', 'protocol.file.allow=always'],
  ...['-c', 'gc.auto=0', '-c', 'maintenance.auto=false', '-c', 'submodule.recurse=false'],
];

const longestFetch = 15 * 60_000;

export class GitTemplates implements TemplateSource {
  readonly #git: BareGit;

  constructor(root: string, environment: Environment) {
    // No person is there to answer a question of ssh.
    const { GIT_SSH_COMMAND, GIT_SSH } = environment;
    const asks = GIT_SSH_COMMAND === undefined && GIT_SSH === undefined;
    this.#git = new BareGit(
      root,
      asks ? { ...environment, GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' } : environment,
    );
  }

  async fetchTemplate(source: string): Promise<{ readonly commit: string }> {
    if (!isTemplateSource(source))
      throw new GatewrightError('config-invalid', 'That is not a template that can be fetched from.');
    const ref = `${prefix}${sha256(source).slice(0, 16)}`;
    const before = await this.#git.try(['rev-parse', '--verify', '--quiet', '--end-of-options', ref]);
    // HEAD of the other side is its default branch.
    const fetched = await this.#git.try(
      [
        ...settings,
        ...['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--force'],
        ...['--', source, `HEAD:${ref}`],
      ],
      { timeout: longestFetch },
    );
    if (fetched.code !== 0)
      throw new GatewrightError(
        'template-unreachable',
        `The template could not be fetched: ${fetched.errors.trim().slice(-300)}`,
      );
    const commit = (
      await this.#git.run(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`])
    ).trim();
    // The next sync compares with this commit, even if the template's history was rewritten by then.
    await keepCommit(this.#git, commit, before.code === 0 ? before.output.trim() : null);
    return { commit };
  }
}
