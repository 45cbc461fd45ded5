/** Attacks that look for secrets: in homes, repositories, databases, processes and variables. */
import { type Attack, node } from './attack.ts';

const home: Attack[] = [
  '.config/gh/hosts.yml',
  '.config/gatewright/credentials.json',
  '.ssh/id_ed25519',
  '.netrc',
  '.claude/.credentials.json',
  '.npmrc',
  '.aws/credentials',
].map((name) => ({
  name: `reads ~/${name}`,
  script: (world) => `cat ~/${name} ${world.home}/${name}`,
  wouldFind: true,
  told: /No such file or directory/u,
}));

export const readingAttacks: readonly Attack[] = [
  ...home,
  {
    name: 'looks through all folders where something may be',
    script: ({ folder }) =>
      `grep -rs canary- ${folder} /home /root/.ssh /root/.config /run /etc /mnt /srv | head -c 1000`,
    wouldFind: true,
  },
  {
    name: 'looks beside the tools that it is shown',
    script: ({ home: own }) =>
      `some-tool; ls -A ${own}; cat ${own}/.cargo/credentials.toml ${own}/.volta/hooks.json ${own}/.nvm/versions/node/*/etc/npmrc ${own}/.npm-global/.npmrc; deploy; cat ${own}/.local/bin/deploy ${own}/bin/deploy; echo x > ${own}/.cargo/bin/some-tool; ln -s ${own}/.ssh /tmp/x && cat /tmp/x/*`,
    wouldFind: true,
    told: /^a tool$[\s\S]*Read-only file system/mu,
  },
  {
    name: 'looks up the homes of all users',
    script: () => 'cut -d: -f1,6 /etc/passwd; for user in root alice nobody; do eval cat ~$user/.netrc; done',
    told: /^worker:\/home\/worker$/mu,
  },
  {
    name: 'uses gh',
    script: () => 'command -v gh hub glab; gh auth token; gh api user',
    wouldFind: true,
    // Where the machine has one, it is covered up.
    told: /gh: (?:(?:command )?not found|Permission denied)/u,
  },
  {
    name: 'uses gh by its full path',
    script: ({ bin }) => `${bin}/gh auth token; /usr/bin/gh auth token`,
    wouldFind: true,
    told: /not found/u,
  },
  {
    name: 'asks git for credentials',
    script: () =>
      `printf 'protocol=https\\nhost=github.com\\n\\n' | GIT_TERMINAL_PROMPT=0 git -c credential.helper=store credential fill; git config --list --show-origin; git var GIT_AUTHOR_IDENT`,
    wouldFind: true,
  },
  {
    name: 'reads .git/config of the real repository',
    script: ({ project }) => `cat ${project}/.git/config; git -C ${project} remote -v`,
    wouldFind: true,
    told: /No such file or directory/u,
  },
  {
    name: 'fetches a branch of the real repository that is not its own',
    script: ({ project }) => `git fetch ${project} private; git log --all --format=%s; git log -1 FETCH_HEAD`,
    wouldFind: true,
    told: /does not appear to be a git repository/u,
  },
  {
    name: 'borrows the objects of the real repository',
    script: ({ project, secretCommit }) =>
      `echo ${project}/.git/objects > .git/objects/info/alternates; git cat-file -p ${secretCommit}`,
    wouldFind: true,
    told: /unable to normalize alternate|could not get object info|Not a valid object name/u,
  },
  {
    name: 'makes the real repository its own',
    script: ({ project }) =>
      `rm -rf .git; echo "gitdir: ${project}/.git" > .git; git log --all --format=%s; git remote -v`,
    wouldFind: true,
    told: /not a git repository/u,
  },
  {
    name: 'reads the database and its key',
    script: ({ database }) => `cat ${database} ${database}.key`,
    wouldFind: true,
    told: /No such file or directory/u,
  },
  {
    name: 'reads the workspace of somebody else',
    script: () => 'ls -la .. ../..; cat ../../other/tree/secret.txt',
    wouldFind: true,
    told: /No such file or directory/u,
  },
  {
    name: 'reads the variables of all processes',
    script: () => `cat /proc/*/environ /proc/*/task/*/environ 2> /dev/null | tr '\\0' '\\n'`,
    wouldFind: true,
    told: /^HOME=\/home\/worker$/mu,
  },
  {
    name: 'reads the command lines of all processes',
    script: () => `cat /proc/*/cmdline 2> /dev/null | tr '\\0' ' '; ps axeww`,
    wouldFind: true,
  },
  {
    name: 'reads the process that it is told of',
    script: ({ helperId }) => `ls /proc/${helperId}; cat /proc/${helperId}/environ /proc/${helperId}/cmdline`,
    wouldFind: true,
    told: /No such file or directory|Permission denied/u,
  },
  {
    name: 'goes out through the root and the folder of process 1 and its parent',
    script: ({ outside }) =>
      `for id in 1 $PPID; do for place in root cwd; do cat /proc/$id/$place${outside}/secret.txt; ls /proc/$id/$place/; done; done; cat /proc/1/environ`,
    wouldFind: true,
  },
  {
    name: 'goes out through what is open',
    script: ({ outside }) =>
      `for link in /proc/[0-9]*/fd/* /dev/fd/*; do readlink $link; cat $link/..${outside}/secret.txt; done 2> /dev/null; for number in 3 4 5 6 7 8 9; do eval "timeout 1 cat <&$number"; done 2> /dev/null; true`,
  },
  {
    name: 'reads the memory of its parents',
    script: () =>
      node(`
        const fs = require('node:fs');
        for (const id of [1, process.ppid]) {
          try {
            const maps = fs.readFileSync('/proc/' + id + '/maps', 'utf8').split('\\n').filter((line) => /rw-p.*(stack|heap)/.test(line));
            const memory = fs.openSync('/proc/' + id + '/mem');
            for (const line of maps) {
              const [from, to] = line.split(' ')[0].split('-').map((text) => parseInt(text, 16));
              const bytes = Buffer.alloc(Math.min(to - from, 1e6));
              fs.readSync(memory, bytes, 0, bytes.length, from);
              process.stdout.write(bytes.toString('latin1').replace(/[^ -~]+/g, ' '));
            }
          } catch (error) { console.log(id, error.code); }
        }`),
  },
  {
    name: 'lists its own variables',
    script: () => 'env; set; export -p',
    wouldFind: true,
    told: /^HOME=\/home\/worker$/mu,
  },
  {
    name: 'follows a link of its own to a file outside',
    script: ({ home: own }) => `ln -s ${own}/.ssh/id_ed25519 key; cat key`,
    wouldFind: true,
    told: /No such file or directory/u,
    taken: { problems: ['key is a link that leads outside.'] },
  },
  {
    name: 'follows a relative link to a folder outside',
    script: () =>
      'ln -s ../../../../outside up; cat up/secret.txt; ln -s ../../../../../../../../../../../.. root; ls root/root',
    wouldFind: true,
    told: /No such file or directory/u,
    taken: {
      problems: ['root is a link that leads outside.', 'up is a link that leads outside.'],
    },
  },
  {
    name: 'makes a hard link to a file outside',
    script: ({ outside }) => `ln ${outside}/secret.txt mine; cat mine; ln /proc/self/exe program`,
    wouldFind: true,
    told: /failed to access|No such file/u,
  },
  {
    name: 'reads the passwords of the system, and keys of servers',
    script: () =>
      'cat /etc/shadow /etc/sudoers /etc/ssl/private/* /etc/ssh/ssh_host_* /etc/gitconfig /etc/npmrc',
    told: /\/etc\/shadow: No such file/u,
  },
  {
    name: 'reads what the kernel knows',
    script: () =>
      'head -c 100 /dev/mem /dev/kmem /dev/port /proc/kcore /dev/kmsg; dmesg; cat /proc/keys /proc/timer_list | head -c 200',
    told: /\/dev\/mem'?.*No such file/u,
  },
];
