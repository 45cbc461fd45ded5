/**
 * A home as people have it on their laptops: toolchains of every kind on the search path, and beside them what nobody else
 * is to see. Each secret holds one word; each tool says its name, if it finds what it needs.
 */
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface ToolHome {
  readonly home: string;
  readonly canary: string;
  /** Tools that have to work, each with what it says. */
  readonly tools: Readonly<Record<string, string>>;
  /** Programs on the search path that are nobody's toolchain. */
  readonly notOffered: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Where tools keep their logins, and where people keep what is their own. */
const secretFiles = [
  ...['.cargo/credentials.toml', '.cargo/registry/src/private.rs', '.npmrc', '.npm-global/.npmrc'],
  ...['.nvm/versions/node/v20.1.0/etc/npmrc', '.volta/hooks.json', '.asdf/installs/asdf-tool/2.0/etc/npmrc'],
  ...['.local/share/x/secret', '.local/share/mise/http-tarballs/x', '.local/share/uv/credentials/x'],
  ...[
    '.config/mise/config.local.toml',
    '.config/composer/auth.json',
    '.config/composer/lib/x',
    '.ssh/id_rsa',
  ],
  ...[
    '.sdkman/etc/config',
    '.gitconfig',
    '.docker/config.json',
    '.aws/credentials',
    'go/src/private/main.go',
  ],
  ...['code/app/.git/config', 'code/app/.env', 'code/app/lib/private.rb', 'lib/notes', 'tools/flutter/.env'],
  ...['.rustup/downloads/x', '.local/share/pipx/venvs/pip-tool/pip.conf', 'notes.txt'],
];

export function makeToolHome(folder: string, canary: string): ToolHome {
  const home = join(folder, 'alice');
  const at = (path: string): string => join(home, path);
  const write = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
  };
  const script = (path: string, ...lines: readonly string[]): void =>
    write(at(path), `#!/bin/sh\n${lines.join('\n')}\n`, 0o755);
  const link = (target: string, path: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    symlinkSync(target, at(path));
  };
  /** A real program that says what it is told. */
  const compiled = (path: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    copyFileSync('/bin/echo', at(path));
  };
  for (const name of secretFiles) write(at(name), `${canary}\n`);

  // nvm: an installation far down.
  script('.nvm/versions/node/v20.1.0/bin/nvm-tool', 'cat "$(dirname "$0")/../lib/word"');
  write(at('.nvm/versions/node/v20.1.0/lib/word'), 'nvm\n');
  // fnm: a link for each shell.
  script('.local/share/fnm/node-versions/v22/installation/bin/fnm-tool', 'echo fnm');
  write(at('.local/share/fnm/node-versions/v22/installation/lib/word'), '');
  link(at('.local/share/fnm/node-versions/v22/installation'), '.local/state/fnm_multishells/1_2');
  // A prefix for npm, near the top.
  write(
    at('.npm-global/lib/node_modules/tool/cli.js'),
    "#!/usr/bin/env node\nconsole.log(require('./word'))\n",
    0o755,
  );
  write(at('.npm-global/lib/node_modules/tool/word.js'), 'module.exports = "npm";\n');
  link('../lib/node_modules/tool/cli.js', '.npm-global/bin/npm-tool');
  // Volta: one program that goes by the name it is called by.
  script('.volta/bin/volta-shim', '. "$VOLTA_HOME/tools/image/$(basename "$0")"');
  link('volta-shim', '.volta/bin/volta-tool');
  write(at('.volta/tools/image/volta-tool'), 'test -e "$VOLTA_HOME/layout.v4" && echo volta\n');
  write(at('.volta/layout.v4'), '');
  // asdf: scripts that lead through itself; versions stand in the home.
  script('.asdf/shims/asdf-tool', `exec "${at('.asdf/bin/asdf')}" exec asdf-tool`);
  script(
    '.asdf/bin/asdf',
    'version=$(sed -n "s/^$2 //p" ~/.tool-versions)',
    '. "$ASDF_DATA_DIR/installs/$2/$version/bin/$2"',
  );
  write(at('.asdf/installs/asdf-tool/2.0/bin/asdf-tool'), 'echo asdf\n');
  write(at('.tool-versions'), 'asdf-tool 2.0\n');
  // mise: links to the one program; versions stand among settings that hold secrets.
  compiled('.local/bin/mise');
  link(at('.local/bin/mise'), '.local/share/mise/shims/mise-tool');
  write(
    at('.config/mise/config.toml'),
    `[env]\nTOKEN = "${canary}"\n[tools]\nnode = "22"\nx = { v = "${canary}" }\n`,
  );
  // pyenv, on another disk.
  mkdirSync(join(folder, 'disk', 'pyenv'), { recursive: true });
  link(join(folder, 'disk', 'pyenv'), '.pyenv');
  script('.pyenv/shims/pyenv-tool', `exec "${at('.pyenv/libexec/pyenv')}" exec pyenv-tool`);
  script('.pyenv/libexec/pyenv', '. "$PYENV_ROOT/versions/$(cat "$PYENV_ROOT/version")/bin/$2"');
  write(at('.pyenv/versions/3.12/bin/pyenv-tool'), 'echo pyenv\n');
  write(at('.pyenv/version'), '3.12\n');
  write(join(folder, 'disk', 'pyenv', 'private'), `${canary}\n`);
  // uv and pipx: links from the folder that everything else is in as well.
  script('.local/share/uv/python/cpython-3.99/bin/python3.99', 'test -n "$1" && . "$1" || echo uv');
  write(at('.local/share/uv/python/cpython-3.99/lib/word'), '');
  link('../share/uv/python/cpython-3.99/bin/python3.99', '.local/bin/python3.99');
  const venv = '.local/share/pipx/venvs/pip-tool';
  link(at('.local/share/uv/python/cpython-3.99/bin/python3.99'), `${venv}/bin/python`);
  write(at(`${venv}/bin/pip-tool`), `#!${at(`${venv}/bin/python`)}\necho pipx\n`, 0o755);
  write(at(`${venv}/lib/word`), '');
  link(`../share/pipx/venvs/pip-tool/bin/pip-tool`, '.local/bin/pip-tool');
  // Rust: programs in one folder, toolchains in another.
  compiled('.cargo/bin/rustup');
  link('rustup', '.cargo/bin/cargo-tool');
  write(at('.rustup/settings.toml'), 'default\n');
  write(at('.rustup/toolchains/stable/lib/word'), '');
  // Go: tools, and a toolchain that needs all of its folder.
  compiled('go/bin/go-tool');
  script('sdk/go1.99/bin/go99', 'cat "$(dirname "$0")/../src/runtime/word"');
  write(at('sdk/go1.99/src/runtime/word'), 'go99\n');
  write(at('sdk/go1.99/VERSION'), 'go1.99\n');
  mkdirSync(at('sdk/go1.99/lib'));
  // SDKMAN!: a link to the current one.
  script('.sdkman/candidates/java/21/bin/java-tool', 'cat "$JAVA_HOME/conf/word"');
  write(at('.sdkman/candidates/java/21/conf/word'), 'java\n');
  mkdirSync(at('.sdkman/candidates/java/21/lib'));
  link('21', '.sdkman/candidates/java/current');
  // What a person named.
  script('tools/flutter/bin/flutter-tool', 'cat "$(dirname "$0")/../packages/word"');
  write(at('tools/flutter/packages/word'), 'flutter\n');
  // Nobody's toolchain.
  for (const path of ['.local/bin/own-script', 'bin/home-script', 'code/app/bin/app-script'])
    script(path, `echo ${canary}`);
  script('.config/composer/bin/composer-script', 'echo composer');
  compiled('.local/bin/gh');
  compiled('.cargo/bin/glab');
  const path = [
    ...['.nvm/versions/node/v20.1.0/bin', '.local/state/fnm_multishells/1_2/bin', '.npm-global/bin'],
    ...['.volta/bin', '.asdf/shims', '.local/share/mise/shims', '.pyenv/shims', '.local/bin', '.cargo/bin'],
    ...['go/bin', 'sdk/go1.99/bin', '.sdkman/candidates/java/current/bin'],
    ...['bin', 'code/app/bin', '.config/composer/bin', 'not-there/bin', '.'],
  ].map(at);
  return {
    ...{ home, canary },
    tools: {
      ...{ 'nvm-tool': 'nvm', 'fnm-tool': 'fnm', 'npm-tool': 'npm', 'volta-tool': 'volta' },
      ...{ 'asdf-tool': 'asdf', 'mise-tool mise': 'mise', 'pyenv-tool': 'pyenv', 'python3.99': 'uv' },
      ...{ 'pip-tool': 'pipx', 'cargo-tool cargo': 'cargo', 'cat $RUSTUP_HOME/settings.toml': 'default' },
      ...{ 'go-tool go': 'go', go99: 'go99', 'java-tool': 'java', 'flutter-tool': 'flutter' },
    },
    notOffered: ['own-script', 'home-script', 'app-script', 'composer-script', 'gh', 'glab'],
    environment: {
      HOME: home,
      PATH: [...path, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      JAVA_HOME: at('.sdkman/candidates/java/current'),
      NVM_DIR: at('.nvm'),
      GOROOT: at('code/app'),
      CARGO_HOME: at('.cargo'),
    },
  };
}
