/**
 * Shuts commands in with bubblewrap, which does nearly everything that is needed by itself. Not for root: bubblewrap leaves
 * device files changeable by their owner, and that is who root still is outside.
 */
import { listCoveredProc } from './covered-proc.ts';
import type { Enclosure } from './enclosure.ts';
import { inside } from './scratch-folder.ts';
import type { Mount } from './view.ts';

function describeMount(mount: Mount): string[] {
  switch (mount.kind) {
    case 'read-only':
      return ['--ro-bind', mount.from, mount.at];
    case 'writable':
      return ['--bind', mount.from, mount.at];
    case 'fresh':
      return ['--perms', mount.at === inside.temporary ? '1777' : '0755', '--tmpfs', mount.at];
    case 'hidden':
      return mount.isFolder
        ? ['--perms', '0555', '--tmpfs', mount.at, '--remount-ro', mount.at]
        : ['--ro-bind', '/dev/null', mount.at];
    case 'link':
      return ['--symlink', mount.target, mount.at];
  }
}

/** Bubblewrap by itself covers fewer parts of /proc. */
function coverProc(): string[] {
  const { folders, files } = listCoveredProc();
  return [
    ...folders.flatMap((name) => ['--ro-bind', `/proc/${name}`, `/proc/${name}`]),
    ...files.flatMap((name) => ['--ro-bind', '/dev/null', `/proc/${name}`]),
  ];
}

export function makeBubblewrap(program: string, canForbidNamespaces: boolean): Enclosure {
  return {
    kind: 'bubblewrap',
    wrap: ({ argv, folder, view, identity }) => [
      program,
      ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts'],
      ...['--unshare-cgroup-try', '--die-with-parent', '--cap-drop', 'ALL'],
      // A process that can make further namespaces reaches kernel code that is not hardened against untrusted programs.
      ...(canForbidNamespaces ? ['--disable-userns'] : []),
      ...['--uid', String(identity.user), '--gid', String(identity.group), '--hostname', 'sandbox'],
      ...['--dev', '/dev', '--proc', '/proc', ...coverProc()],
      ...view.flatMap(describeMount),
      ...['--remount-ro', '/', '--chdir', folder, '--', ...argv],
    ],
  };
}
