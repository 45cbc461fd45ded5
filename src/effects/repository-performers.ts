/** Effects on the files and commits of the repository. */
import { sha256 } from '../domain/ledger/hash.ts';
import { GatewrightError } from '../errors.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Repository } from '../ports/repository.ts';
import { type Performer, withSlack } from './performer.ts';

type RepositoryEffect =
  | 'write-file'
  | 'edit-file'
  | 'write-settings'
  | 'show-state'
  | 'move-path'
  | 'remove-folder'
  | 'commit-files'
  | 'make-worktree'
  | 'remove-worktree';

function isKept(texts: Pick<Ledger, 'getText'>, text: string): Promise<boolean> {
  return texts.getText(sha256(text)).then(
    () => true,
    () => false,
  );
}

export function makeRepositoryPerformers(
  repository: Repository,
  texts: Pick<Ledger, 'getText'>,
): { readonly [K in RepositoryEffect]: Performer<K> } {
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
        if (!(await repository.exists(effect.path))) return null;
        const isOurs =
          effect.isFinal !== true ||
          sha256((await repository.readText(effect.path)) ?? '') === effect.content;
        return isOurs ? { path: effect.path, content: effect.content } : null;
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
    'write-settings': {
      async perform({ effect }) {
        await repository.writeSettings(await texts.getText(effect.content));
        return { content: effect.content };
      },
      async find({ effect }) {
        const text = await repository.readSettings();
        return text !== null && sha256(text) === effect.content ? { content: effect.content } : null;
      },
      pretend: ({ content }) => ({ content }),
    },
    'show-state': {
      async perform({ effect: { path, content } }) {
        const now = await repository.readText(path);
        // Only what we showed there before is replaced or removed: such a text is kept, and a person's is not.
        const isOurs = now === null || (await isKept(texts, now));
        if (!isOurs) throw new GatewrightError('file-conflict', `${path} holds something else now.`);
        if (content === null) {
          if (now !== null) await repository.removeFolder(path);
        } else {
          const text = await texts.getText(content);
          if (!(await repository.createFile(path, text))) await repository.replaceFile(path, text);
        }
        return { path, content };
      },
      async find({ effect: { path, content } }) {
        const text = await repository.readText(path);
        const isShown = content === null ? text === null : text !== null && sha256(text) === content;
        return isShown ? { path, content } : null;
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
  };
}
