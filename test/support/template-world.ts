/** A repository and the template that it follows, both with real git. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FleetWorld } from './fleet-world.ts';

type Files = Readonly<Record<string, string | null>>;

export class TemplateWorld {
  readonly world: FleetWorld;
  /** The template's folder. */
  readonly folder: string;

  private constructor(world: FleetWorld, folder: string) {
    this.world = world;
    this.folder = folder;
  }

  /** With what the template has, and what the repository that follows it has. */
  static async open(template: Files, ours: Readonly<Record<string, string>>): Promise<TemplateWorld> {
    const plain = await FleetWorld.open(ours);
    const folder = join(plain.playground.folder, 'template');
    mkdirSync(folder);
    const world = new TemplateWorld(
      await plain.reopen({ GATEWRIGHT_AGENTS: 'template-sync', GATEWRIGHT_TEMPLATE: folder }),
      folder,
    );
    world.git('init', '--quiet', '--initial-branch=main');
    world.git('config', 'user.name', 'Template');
    world.git('config', 'user.email', 'template@example.invalid');
    world.commit(template);
    return world;
  }

  git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: this.world.playground.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  /** A tree of the template as it is written down, whatever names are in it. */
  mktree(lines: string): string {
    const { environment } = this.world.playground;
    return execFileSync('git', ['mktree', '--missing'], {
      cwd: this.folder,
      encoding: 'utf8',
      env: environment,
      input: lines,
    }).trim();
  }

  /** The template changes; null removes a file. */
  commit(files: Files): string {
    for (const [path, content] of Object.entries(files)) {
      const full = join(this.folder, path);
      if (content === null) rmSync(full);
      else {
        mkdirSync(dirname(full), { recursive: true });
        writeFileSync(full, content);
      }
    }
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', 'Change', '--allow-empty');
    return this.git('rev-parse', 'HEAD');
  }

  /** The repository changes on its default branch. */
  commitHere(files: Files): void {
    const { playground } = this.world;
    for (const [path, content] of Object.entries(files)) {
      if (content === null) rmSync(playground.path(path));
      else playground.write(path, content);
    }
    playground.git('add', '--all');
    playground.git('commit', '--quiet', '--message', 'Ours');
  }

  due() {
    return this.world.event('schedule-due', { schedule: 'template-sync', actor: 'clock', actorKind: 'bot' });
  }

  /** What the sync says of its run. */
  async sync(): Promise<string> {
    const outcomes = await this.world.deliver(this.due());
    return outcomes.flatMap(({ outcomes: runs }) => runs.map(({ reason }) => reason.message)).join('\n');
  }

  async pulls() {
    return (await this.world.as('alice')).listPullRequests(this.world.repository, { state: 'all' });
  }

  /** Names and contents of what a commit changes against the default branch; null where a file is removed. */
  changes(commit: string): Record<string, string | null> {
    const { playground } = this.world;
    const base = playground.git('merge-base', 'main', commit);
    const words = playground.git('diff', '--no-renames', '--name-status', '-z', base, commit).split('\0');
    const changed: Record<string, string | null> = {};
    for (let at = 0; at + 1 < words.length; at += 2) {
      const path = words[at + 1] ?? '';
      changed[path] = words[at] === 'D' ? null : `${playground.git('show', `${commit}:${path}`)}\n`;
    }
    return changed;
  }

  remove(): void {
    this.world.remove();
  }
}
