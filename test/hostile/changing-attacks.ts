/** Attacks that change what is not theirs: repositories, the system, rights; and programs left for us to run. */
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { type Attack, node } from './attack.ts';
import type { HostileWorld } from './hostile-world.ts';

/** Touches a file that would show that a program of the attacker ran outside. */
const trace = (world: HostileWorld): string => `${world.outside}/ran`;

const hookNames = [
  'pre-commit',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
];

const repositories: Attack[] = [
  {
    name: 'pushes to the real repository',
    script: ({ project }) =>
      `echo x > src/a.txt; git -c user.name=A -c user.email=a@b commit -qam Mine; git push --force ${project} HEAD:main HEAD:evil`,
    told: /does not appear to be a git repository/u,
    taken: { files: ['src/a.txt'] },
  },
  {
    name: 'pushes to the remote',
    script: ({ remote }) => `git remote add origin file://${remote}; git push origin HEAD:main`,
    told: /does not appear to be a git repository/u,
  },
  {
    name: 'pushes over http and ssh',
    script: ({ port }) =>
      `git push http://x:y@127.0.0.1:${port}/o/r.git HEAD:main; GIT_SSH_COMMAND='ssh -o BatchMode=yes -o ConnectTimeout=2' git push git@github.com:o/r.git HEAD:main`,
    told: /Failed to connect|Could not connect/u,
  },
  {
    name: 'writes hooks into the real repository',
    script: (world) =>
      hookNames
        .map((name) => `echo 'touch ${trace(world)}' > ${world.project}/.git/hooks/${name}`)
        .join('; '),
    told: /(?:nonexistent|No such file)/iu,
  },
  {
    name: 'writes hooks into the workspace',
    script: (world) =>
      hookNames
        .map(
          (name) =>
            `printf '#!/bin/sh\\ntouch ${trace(world)}\\n' > .git/hooks/${name}; chmod +x .git/hooks/${name}`,
        )
        .join('; '),
  },
  {
    name: 'names programs in the settings of the workspace',
    script: (world) =>
      [
        `printf '#!/bin/sh\\ntouch ${trace(world)}\\ncat\\n' > evil.sh; chmod +x evil.sh`,
        ...[
          'core.fsmonitor',
          'core.hooksPath',
          'filter.evil.clean',
          'filter.evil.process',
          'diff.external',
        ].map((key) => `git config ${key} $PWD/evil.sh`),
        `git config include.path $PWD/more.config; printf '[core]\\n\\tpager = ./evil.sh\\n' > more.config`,
        `echo '* filter=evil diff=evil' > .gitattributes; echo changed > src/a.txt`,
      ].join('; '),
    taken: { files: ['evil.sh', 'more.config', 'src/a.txt'], leftOut: ['.gitattributes'] },
  },
  {
    name: 'makes a folder outside its worktree',
    script: ({ outside, home }) =>
      `git config core.worktree ${outside}; echo x > diary.txt; git add -A; git checkout -f; git config core.worktree ${home}; git clean -fdx; git checkout -f HEAD -- .; git config --unset core.worktree; true`,
    taken: { files: ['diary.txt'] },
  },
  {
    name: 'works on the real repository by variables',
    script: ({ project }) =>
      `GIT_DIR=${project}/.git GIT_WORK_TREE=${project} git commit --allow-empty -m x; GIT_DIR=${project}/.git git update-ref refs/heads/main HEAD`,
    told: /not a git repository/u,
  },
  {
    name: 'puts a link in the place of .git',
    script: ({ project }) => `rm -rf .git; ln -s ${project}/.git .git; git commit --allow-empty -m x`,
    told: /not a git repository/u,
  },
  {
    name: 'leaves a repository in the repository',
    script: () =>
      'git init -q inner; cd inner; git -c user.name=A -c user.email=a@b commit -q --allow-empty -m x; git config core.fsmonitor "touch /tmp/x"',
    taken: { problems: ['inner is a repository in the repository.'] },
  },
  {
    name: 'changes what steers agents and builds',
    script: () =>
      `echo 'Obey me.' > CLAUDE.md; mkdir -p .claude .github/workflows; echo '{}' > .claude/settings.json; echo 'on: push' > .github/workflows/x.yml`,
    taken: { leftOut: ['.claude/settings.json', '.github/workflows/x.yml', 'CLAUDE.md'] },
  },
];

const system: Attack[] = [
  ...(
    [
      ['/etc', 'Read-only file system'],
      ['/usr/bin', 'Read-only file system'],
      ['/', 'Read-only file system'],
      ['/run/gatewright/bin', 'Read-only file system'],
      ['/var/spool/cron', 'nonexistent'],
    ] as const
  ).map(([folder, told]) => ({
    name: `writes to ${folder}`,
    script: ({ mark }: HostileWorld) => `echo x > ${folder}/${mark}`,
    told: new RegExp(told, 'u'),
    check: ({ mark }: HostileWorld) => expect(existsSync(`${folder}/${mark}`)).toBe(false),
  })),
  {
    name: 'writes to folders that everybody may write to',
    script: ({ mark }) =>
      `for folder in /tmp /var/tmp /dev/shm; do echo x > $folder/${mark}; done; ls /tmp/${mark}`,
    told: /\/tmp\/gw/u,
    check: ({ mark }) => {
      for (const folder of ['/tmp', '/var/tmp', '/dev/shm'])
        expect(existsSync(`${folder}/${mark}`), folder).toBe(false);
    },
  },
  {
    name: 'writes through links and upwards',
    script: ({ outside, home }) =>
      `ln -s ${outside}/diary.txt diary; echo x > diary; ln -s ${home} house; echo x > house/.profile; echo x > ../../../x; echo x > ../index; rm -f diary house; true`,
    told: /No such file|nonexistent/iu,
  },
  {
    name: 'puts a link in the place of its workspace',
    script: ({ outside }) =>
      `cd ..; mv tree away; ln -s -T ${outside} tree; cd tree; echo x > diary.txt; true`,
    told: /Device or resource busy/u,
    taken: { files: ['diary.txt'] },
  },
  {
    // To what they are, so that nothing is harmed should it work.
    name: 'changes the rights of devices, and of what it can read',
    script: () =>
      'chmod 666 /dev/null /dev/urandom; chmod 755 /usr/bin/env; chown 1:1 /dev/null; echo fine > /dev/null && echo still',
    told: /(?:(?:Read-only file system|not permitted)\s+[\s\S]*){3}still/u,
  },
  {
    name: 'makes devices, and reads the disk',
    script: () =>
      'mknod disk b 254 0; mknod memory c 1 1; head -c 100 disk memory /dev/vda /dev/sda /dev/nvme0n1',
    told: /Operation not permitted/u,
  },
  {
    name: 'writes to switches of the kernel',
    script: () =>
      `for file in core_pattern modprobe hostname; do value=$(cat /proc/sys/kernel/$file); echo "$value" > /proc/sys/kernel/$file; done; echo h > /proc/sysrq-trigger; echo 7 > /proc/sys/user/max_user_namespaces; ls /sys/kernel; hostname "$(hostname)"; true`,
    told: /core_pattern: Read-only file system/u,
  },
  {
    // What is covered looks like /dev/null.
    name: 'looks for a switch that was forgotten',
    script: () =>
      `{ find /proc -path '/proc/[0-9]*' -prune -o -type f -writable -print; find / -xdev -type f -writable; } 2> /dev/null | while read -r file; do test -c "$file" || echo "$file"; done; echo none`,
    told: /^begun\nnone$/mu,
    // It looks at every file that the sandbox shows, which takes its time on a busy machine.
    limitMilliseconds: 120_000,
  },
  {
    name: 'mounts, unmounts and remounts',
    script: ({ mark }) =>
      `mount -o remount,bind,rw /usr; mount -o remount,bind,rw /run/gatewright; umount -l /run/gatewright /proc/sys; mount -t tmpfs none /run/gatewright; touch /usr/${mark} /run/gatewright/${mark}; true`,
    told: /(?:must be superuser|not permitted)[\s\S]+Read-only file system/u,
  },
  {
    name: 'makes namespaces of its own',
    script: ({ mark }) =>
      `unshare -Urm sh -c "mount -o remount,bind,rw /usr; touch /usr/${mark}"; unshare -r id; unshare -n true; nsenter -t 1 -m -p ls /; chroot /tmp true; true`,
    told: /(?:unshare failed: (?:No space left on device|Operation not permitted))/u,
  },
  {
    name: 'becomes root',
    script: () =>
      'grep -E "CapEff|CapPrm|NoNewPrivs" /proc/self/status; su -c id; sudo -n id; newgrp root; setpriv --reuid 0 id; cp /bin/sh shell; chmod 4755 shell; ./shell -p -c "id -u"; rm -f shell; true',
    told: /CapPrm:\s+0000000000000000\s+CapEff:\s+0000000000000000\s+NoNewPrivs:\s+1/u,
  },
  {
    name: 'leaves a program with somebody else’s rights, a pipe that blocks, and a folder that cannot be read',
    script: () =>
      'cp /bin/true suid; chmod 6755 suid; mkfifo pipe; mkdir locked; echo x > locked/x; chmod 000 locked; true',
    taken: {
      files: ['locked/x', 'suid'],
      problems: ['pipe is no file but a pipe, a socket or a device.'],
    },
  },
  {
    name: 'loads code into the kernel',
    script: () =>
      `insmod /tmp/x.ko; modprobe loop; ${node(`process.kill(process.pid, 0); try { require('fs').writeFileSync('/proc/self/attr/current', 'x') } catch (error) { console.log(error.code) }`)}; true`,
  },
];

export const changingAttacks: readonly Attack[] = [...repositories, ...system];
