/**
 * How well-known toolchains lay themselves out below a home folder, and which parts of that a command needs. Everything
 * beside those parts stays unseen: the folders that tools keep for themselves are also where they keep their logins.
 */

export interface ToolLayout {
  readonly name: string;
  /** Variables that may name its folder. */
  readonly variables: readonly string[];
  /** Where its folder is otherwise; seen from the home, unless it begins with a slash. */
  readonly places: readonly string[];
  /** What is shown of the folder; `.` is all of it, a star at the end stands for any further letters. */
  readonly parts: readonly string[];
  /** Programs that need it, wherever they stand themselves. A search path that leads into its folder is enough, too. */
  readonly programs: readonly string[];
  /** Variables that say inside where it is, because the home there is another; each with a path below the folder. */
  readonly told: Readonly<Record<string, string>>;
  /** Files of the home, without secrets, that it cannot do without. */
  readonly homeFiles?: readonly string[];
}

/** A version manager whose programs are small scripts that lead through itself. */
function managerOf(name: string, variable: string, folder: string): ToolLayout {
  return {
    name,
    variables: [variable],
    places: [folder],
    parts: ['bin', 'libexec', 'shims', 'versions', 'version', 'plugins', `${name}.d`],
    programs: [name],
    told: { [variable]: '' },
  };
}

const simple = (name: string, variables: readonly string[], places: readonly string[], parts = ['bin']) => ({
  ...{ name, variables, places, parts, programs: [], told: {} },
});

/**
 * Not told on purpose: `CARGO_HOME`, `GOPATH` and `BUN_INSTALL` are also where these tools write, and what is shown can
 * only be read. nvm, fnm, SDKMAN!, GHCup and the like need no row: what they put on the search path are installations.
 */
export const toolLayouts: readonly ToolLayout[] = [
  managerOf('pyenv', 'PYENV_ROOT', '.pyenv'),
  managerOf('rbenv', 'RBENV_ROOT', '.rbenv'),
  managerOf('nodenv', 'NODENV_ROOT', '.nodenv'),
  managerOf('goenv', 'GOENV_ROOT', '.goenv'),
  {
    name: 'rustup',
    variables: ['RUSTUP_HOME'],
    places: ['.rustup'],
    parts: ['toolchains', 'settings.toml', 'update-hashes'],
    programs: ['rustup', 'cargo', 'rustc'],
    told: { RUSTUP_HOME: '' },
  },
  // Beside its programs are the tokens for registries.
  simple('cargo', ['CARGO_HOME'], ['.cargo']),
  simple('go', ['GOPATH'], ['go']),
  simple('bun', ['BUN_INSTALL'], ['.bun']),
  simple('deno', ['DENO_INSTALL'], ['.deno']),
  simple('jdks', [], ['.jdks'], ['.']),
  simple('gem', [], ['.gem'], ['ruby']),
  {
    name: 'volta',
    variables: ['VOLTA_HOME'],
    places: ['.volta'],
    // Without the mark of its layout it believes that it has to be moved to a new one.
    parts: ['bin', 'tools', 'layout.v*'],
    programs: ['volta'],
    told: { VOLTA_HOME: '' },
  },
  {
    name: 'asdf',
    variables: ['ASDF_DATA_DIR', 'ASDF_DIR'],
    places: ['.asdf'],
    parts: [
      ...['bin', 'lib', 'libexec', 'internal', 'shims', 'installs', 'plugins'],
      ...['asdf.sh', 'defaults', 'version.txt'],
    ],
    programs: ['asdf'],
    told: { ASDF_DATA_DIR: '', ASDF_DIR: '' },
    homeFiles: ['.tool-versions', '.asdfrc'],
  },
  {
    name: 'mise',
    variables: ['MISE_DATA_DIR'],
    places: ['.local/share/mise'],
    parts: ['shims', 'installs', 'plugins'],
    programs: ['mise'],
    told: { MISE_DATA_DIR: '' },
    homeFiles: ['.tool-versions'],
  },
  {
    name: 'uv',
    variables: [],
    places: ['.local/share/uv'],
    parts: ['python', 'tools'],
    programs: ['uv'],
    told: { UV_PYTHON_INSTALL_DIR: 'python' },
  },
  {
    name: 'pip',
    variables: ['PYTHONUSERBASE'],
    places: ['.local'],
    parts: ['lib/python3.*'],
    programs: ['python3'],
    told: { PYTHONUSERBASE: '' },
  },
  {
    name: 'pnpm',
    variables: ['PNPM_HOME'],
    places: ['.local/share/pnpm'],
    parts: ['bin', 'global', 'nodejs', '.tools'],
    programs: ['pnpm'],
    told: { PNPM_HOME: '' },
  },
  {
    name: 'dotnet',
    variables: ['DOTNET_ROOT'],
    places: ['.dotnet'],
    parts: ['dotnet', 'host', 'sdk', 'shared', 'packs', 'sdk-manifests', 'templates'],
    programs: ['dotnet'],
    told: { DOTNET_ROOT: '' },
  },
  ...['miniconda3', 'anaconda3', 'miniforge3', 'mambaforge'].map((folder) =>
    simple(folder, [], [folder], ['bin', 'lib', 'libexec', 'include', 'share', 'ssl', 'envs']),
  ),
  simple(
    'homebrew',
    ['HOMEBREW_PREFIX'],
    ['/home/linuxbrew/.linuxbrew', '.linuxbrew'],
    [
      ...['bin', 'sbin', 'lib', 'libexec', 'include', 'share', 'Cellar', 'opt'],
      ...['etc/ca-certificates', 'etc/openssl@*'],
    ],
  ),
];

/** The parts of an installation that may stand beside other things. */
export const installedParts = ['bin', 'sbin', 'lib', 'lib64', 'libexec', 'include', 'share'];

/** Installations that need more than that, and are known by what is in them. */
export const wholeMarks: readonly (readonly string[])[] = [
  ['release', 'lib/modules'],
  ['VERSION', 'src/runtime'],
  ['pyvenv.cfg'],
  ['bin/mvn', 'boot'],
  ['bin/gradle', 'init.d'],
];

/** Names that mark a folder as a project that people work on, even if it has a `bin` and a `lib`. */
export const workMarks = [
  ...['.git', '.hg', 'package.json', 'Cargo.toml', 'go.mod', 'pyproject.toml', 'Gemfile', 'Makefile'],
];

/** Below a home: never shown, nor anything in it, whatever is on the search path. */
export const privateFolders = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.docker', '.kube', '.config', '.claude', '.password-store'],
  ...['.mozilla', '.thunderbird', '.local/share/keyrings', '.local/share/gatewright', '.m2', '.gradle'],
];

/** Below a home: never shown as a whole. */
export const mixedFolders = [
  ...['.local', '.local/share', '.local/state', '.local/lib', '.cargo', '.cache', '.gem', '.npm', 'snap'],
];

/** Variables with the path of a folder; they count inside if the folder is seen there. */
export const pathVariables = [
  ...['JAVA_HOME', 'GOROOT', 'GOMODCACHE', 'M2_HOME', 'MAVEN_HOME', 'GRADLE_HOME', 'SDKMAN_DIR', 'NVM_DIR'],
  ...['VIRTUAL_ENV', 'CONDA_PREFIX', 'ANDROID_HOME', 'ANDROID_SDK_ROOT', 'KOTLIN_HOME', 'SCALA_HOME'],
];

/** Names of files and folders that hold passwords and keys; shown empty wherever they are found. */
export const secretName =
  /^(?:\.env(?:\..*)?|[._]?netrc|\.?npmrc|\.yarnrc(?:\.yml)?|\.?credentials(?:\.\w+)?|\.git-credentials|\.?gitconfig|\.pypirc|pip\.conf|condarc|\.condarc|\.ssh|\.aws|\.gnupg|\.docker|\.kube|\.config|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:key|p12|pfx|kdbx|keystore|jks)|auth\.json|secrets?(?:\..*)?|tokens?(?:\..*)?)$/iu;
