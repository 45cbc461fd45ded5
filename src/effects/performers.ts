/**
 * How each kind of effect is done, how a finished one is found again after a crash, and what a dry run pretends.
 * Every `find` looks at what is there now and repeats nothing.
 */
import type { EffectKind, EffectOf, EffectResults } from '../domain/effect.ts';
import { sha256 } from '../domain/hash.ts';
import { defaultLabelColour } from '../domain/labels.ts';
import { GatewrightError } from '../errors.ts';
import type { Forge } from '../ports/forge.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Repository } from '../ports/repository.ts';
import { hideMarker } from './marker.ts';

export interface Attempt<K extends EffectKind> {
  readonly effect: EffectOf<K>;
  readonly marker: string;
  /** When it was intended, ISO 8601: nothing older can be its result. */
  readonly since: string;
}

export interface Performer<K extends EffectKind> {
  perform(attempt: Attempt<K>): Promise<EffectResults[K]>;
  find(attempt: Attempt<K>): Promise<EffectResults[K] | null>;
  pretend(effect: EffectOf<K>): EffectResults[K];
}

export type Performers = { readonly [K in EffectKind]: Performer<K> };

interface World {
  readonly repository: Repository;
  readonly forge: Pick<Forge, 'ensureLabel' | 'createIssue' | 'listIssues'>;
  readonly texts: Pick<Ledger, 'getText'>;
}

/** Clocks of two machines differ; looking an hour further back costs nothing. */
function withSlack(moment: string): string {
  return new Date(new Date(moment).getTime() - 3_600_000).toISOString();
}

export function makePerformers({ repository, forge, texts }: World): Performers {
  return {
    'write-file': {
      async perform({ effect }) {
        const made = await repository.createFile(effect.path, await texts.getText(effect.content));
        if (!made) throw new GatewrightError('file-conflict', `${effect.path} exists already.`);
        return { path: effect.path, content: effect.content };
      },
      // The file is ours even if its content differs now: the name was free when we intended it, we hold the folder,
      // and a person may have edited the draft since.
      async find({ effect }) {
        return (await repository.exists(effect.path)) ? { path: effect.path, content: effect.content } : null;
      },
      pretend: ({ path, content }) => ({ path, content }),
    },
    'edit-file': {
      async perform({ effect }) {
        await repository.replaceFile(effect.path, await texts.getText(effect.content));
        return { path: effect.path, content: effect.content };
      },
      async find({ effect }) {
        const text = await repository.readText(effect.path);
        return text !== null && sha256(text) === effect.content
          ? { path: effect.path, content: effect.content }
          : null;
      },
      pretend: ({ path, content }) => ({ path, content }),
    },
    'move-path': {
      async perform({ effect }) {
        return { moved: await repository.move(effect.from, effect.to) };
      },
      async find({ effect }) {
        const [from, to] = [await repository.exists(effect.from), await repository.exists(effect.to)];
        return !from && to ? { moved: true } : null;
      },
      pretend: () => ({ moved: true }),
    },
    'remove-folder': {
      async perform({ effect }) {
        await repository.removeFolder(effect.path);
        return { removed: true };
      },
      async find({ effect }) {
        return (await repository.exists(effect.path)) ? null : { removed: true };
      },
      pretend: () => ({ removed: true }),
    },
    'commit-files': {
      async perform({ effect, marker }) {
        return { commit: await repository.commit({ message: effect.message, paths: effect.paths, marker }) };
      },
      async find({ marker, since }) {
        const commit = await repository.findCommit(marker, withSlack(since));
        return commit === null ? null : { commit };
      },
      pretend: () => ({ commit: '' }),
    },
    'make-worktree': {
      async perform({ effect }) {
        return { path: await repository.makeWorktree(effect.name) };
      },
      // Making it again finds the one that is there.
      find: async () => null,
      pretend: () => ({ path: '' }),
    },
    'remove-worktree': {
      async perform({ effect }) {
        return { removed: await repository.removeWorktree(effect.name) };
      },
      find: async () => null,
      pretend: () => ({ removed: true }),
    },
    'ensure-label': {
      async perform({ effect }) {
        const colour = effect.colour || defaultLabelColour;
        const description = effect.description ?? '';
        return forge.ensureLabel(effect.repository, { name: effect.name, colour, description });
      },
      find: async () => null,
      pretend: () => ({ created: false }),
    },
    'create-issue': {
      async perform({ effect, marker }) {
        const body = `${(await texts.getText(effect.body)).trimEnd()}\n\n${hideMarker(marker)}\n`;
        const issue = await forge.createIssue(effect.repository, {
          title: effect.title,
          body,
          labels: effect.labels,
        });
        return { number: issue.number, url: issue.url };
      },
      async find({ effect, marker, since }) {
        // Only what our own identity wrote can be ours: anybody may copy a marker.
        const { author } = effect;
        const issues = await forge.listIssues(effect.repository, {
          state: 'all',
          author,
          since: withSlack(since),
        });
        const found = issues.find((issue) => issue.body.includes(hideMarker(marker)));
        return found === undefined ? null : { number: found.number, url: found.url };
      },
      pretend: () => ({ number: 0, url: '' }),
    },
  };
}
