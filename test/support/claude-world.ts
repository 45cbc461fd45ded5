/** The real Claude Code CLI in a folder of its own, talking to a scripted provider on loopback. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import {
  type ClaudeCodeAgentOptions,
  makeClaudeCodeAgent,
} from '../../src/adapters/claude-code/claude-code-agent.ts';
import { openDatabase, type SqliteDatabase } from '../../src/adapters/sqlite/database.ts';
import { SqliteCredentialLimits } from '../../src/adapters/sqlite/sqlite-credential-limits.ts';
import type { CodingAgent } from '../../src/ports/coding-agent.ts';
import { ScriptedProvider } from './scripted-provider.ts';

const binaries = join(import.meta.dirname, '..', '..', 'node_modules', '.bin');

export class ClaudeWorld {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'gw-claude-')));
  readonly worktree = join(this.folder, 'worktree');
  readonly server = new ScriptedProvider();
  readonly database: SqliteDatabase = openDatabase(join(this.folder, 'gatewright.db'));
  time = new Date('2026-11-15T10:00:00.000Z');
  readonly clock = { now: (): Date => this.time };
  readonly limits = new SqliteCredentialLimits(this.database, this.clock);

  async open(): Promise<this> {
    mkdirSync(this.worktree);
    await this.server.start();
    return this;
  }

  /** What a person's environment would hold, and more. `path` puts programs before the real ones. */
  environment(more: Readonly<Record<string, string>> = {}, path = binaries): Record<string, string> {
    return {
      PATH: [path, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
      HOME: this.folder,
      CLAUDE_CONFIG_DIR: join(this.folder, 'config'),
      ANTHROPIC_BASE_URL: this.server.url,
      CLAUDE_CODE_MAX_RETRIES: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...more,
    };
  }

  makeAgent(environment: Record<string, string>, more: Partial<ClaudeCodeAgentOptions> = {}): CodingAgent {
    const { clock, limits } = this;
    return makeClaudeCodeAgent({ model: 'claude-sonnet-4-5', environment, clock, limits, ...more });
  }

  /** A stand-in for the CLI, for what it never does by itself; returns the folder to put in front of the path. */
  script(text: string): string {
    const path = join(this.folder, 'bin');
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'claude'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return path;
  }

  async close(): Promise<void> {
    await this.server.stop();
    this.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
