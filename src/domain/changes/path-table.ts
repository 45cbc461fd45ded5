/**
 * The one table of what a path is, by its name alone. Every path has a class; only `prose`, `test` and `source` may be
 * merged without a person, and those are listed by what they are: a path that fits no row asks a person. The first row
 * that fits decides. The rules that judge a change and the code that makes copies for agents read this table;
 * docs/path-classes.md shows it.
 */

export type PathClass =
  | 'steering'
  | 'odd-name'
  | 'hidden'
  | 'foreign'
  | 'dependencies'
  | 'build'
  | 'test'
  | 'test-support'
  | 'delicate'
  | 'agent-text'
  | 'prose'
  | 'source'
  | 'unknown';

/** Which classes may be merged without a person, if all else is well. */
export const mergingClasses: readonly PathClass[] = ['prose', 'test', 'source'];

export interface PathRow {
  readonly class: PathClass;
  /** What such a file is, for the documentation. */
  readonly what: string;
  /** Names of files and folders, small letters; `*` is anything within a name, `/` at the beginning means the root. */
  readonly names?: readonly string[];
  /** Beginnings of names up to the first dot, of files of a source language only. */
  readonly stems?: readonly string[];
  /** Expressions over the whole path. */
  readonly patterns?: readonly RegExp[];
}

function words(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** What decides about agents, merges or builds themselves; a person merges it by hand. */
const steeringRows: readonly PathRow[] = [
  {
    class: 'steering',
    what: 'instructions and settings of coding agents',
    names: words(`
    claude.md claude.local.md agents.md agents.local.md agents.override.md agent.md gemini.md gemini.local.md
    qwen.md codex.md opencode.md crush.md warp.md jules.md junie.md replit.md skill.md copilot-instructions.md
    *.instructions.md *.prompt.md *.chatmode.md *.agent.md *.mdc opencode.json* crush.json mcp.json .mcp* .claude*
    .cursor* .windsurf* .codeium* .codex* .gemini* .qwen* .opencode* .crush* .aider* .cline* .roo* .kilo* .continue*
    .kiro* .amazonq* .junie* .goose* .augment* .trae* .factory* .droid* .devin* .copilot* .tabnine* .cody*
    .sourcegraph* .openhands* .all-hands* .plandex* .mentat* .warp* .void* .pearai* .firebender* .serena*
    .taskmaster* .ruler* .tessl* .specify* .rules .agents* .agent .ai .llm .prompts .skills .sweep* sweep.yaml
    .coderabbit* .ellipsis* .greptile* .pr_agent* .bito* .gatewright* gatewright.config.*
  `),
  },
  {
    class: 'steering',
    what: 'continuous integration, bots that merge or update, and who has to approve',
    names: words(`
    .github .gitlab .gitlab-ci* *.gitlab-ci.yml *.gitlab-ci.yaml .gitea .forgejo .circleci .travis* .drone*
    .buildkite* .woodpecker* .tekton .semaphore .cirrus* appveyor.yml appveyor.yaml .appveyor* azure-pipelines*
    .azure-pipelines* .azuredevops .azure bitbucket-pipelines* .bitbucket jenkinsfile* .jenkins* *.jenkinsfile
    .builds .build.yml .build.yaml buildspec*.yml buildspec*.yaml cloudbuild*.y*ml cloudbuild*.json .teamcity
    .concourse* codefresh.y*ml .codefresh* wercker.yml shippable.yml .scrutinizer* codemagic.y*ml bitrise.y*ml
    dagger.json .dagger earthfile .ci .prow* .zuul* zuul.yaml .evergreen* .taskcluster* .harness .gocd*
    screwdriver.yaml codeowners owners_aliases renovate.json* .renovaterc* .dependabot dependabot.y*ml .mergify*
    .kodiak* bors.toml .bors* .aviator .codecov* codecov.y*ml .lgtm*
  `),
  },
  {
    class: 'steering',
    what: 'hooks, and what git itself obeys',
    names: words(`
    .git .gitattributes .gitmodules .gitconfig .lfsconfig .githooks .hooks .husky* .pre-commit-* .pre-commit
    lefthook.* lefthook-local.* .lefthook* .overcommit* .lintstaged* lint-staged.* .simple-git-hooks*
    simple-git-hooks.* .captainhook* captainhook.json
  `),
  },
  {
    class: 'steering',
    what: 'what editors, shells and package managers run or obey as soon as a folder is opened',
    names: words(`
    .vscode* .idea .fleet .vs .zed .devcontainer* devcontainer.json .gitpod* .idx .replit replit.nix .codesandbox
    .stackblitzrc .ona *.code-workspace *.sublime-project *.sublime-workspace .exrc .vimrc .lvimrc .nvim* .dir-locals*
    .envrc .env .direnv mise.toml .mise* mise.*.toml .tool-versions .npmrc .yarnrc* .yarn .pnp.* .pnpmfile* .cargo
    .bazelrc .bundle .gemrc .mvn .gradle .pypirc pip.conf .condarc bunfig.toml .nuget nuget.config
  `),
  },
];

/** Files that came from elsewhere or that a program made: people do not review them. */
const foreignRow: PathRow = {
  class: 'foreign',
  what: 'code of others, and what programs made',
  names: words(`
    node_modules bower_components jspm_packages vendor vendors third_party third-party thirdparty external extern
    externals deps site-packages pods carthage dist out target obj bin build builds _build coverage generated gen
    __generated__ __pycache__ *.egg-info *.min.* *.bundle.* *.chunk.* *.generated.* *.gen.* *_generated.* *.pb.*
    *_pb.* *_pb2.* *_pb2_grpc.* *.designer.* *.g.* *.freezed.* zz_generated* wwwroot static public assets
  `),
};

const dependenciesRow: PathRow = {
  class: 'dependencies',
  what: 'what other people’s code comes in by',
  names: words(`
    package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lock* pnpm-workspace.yaml deno.json*
    jsr.json import_map.json importmap.json pyproject.toml pylock*.toml pipfile* *requirements*.txt *requirements*.in
    *constraints*.txt *deps*.txt *dependencies*.txt *reqs*.txt runtime.txt *packages*.txt apt.txt environment*.yml
    environment*.yaml setup.py setup.cfg go.mod go.sum go.work* cargo.toml gemfile* gems.rb *.gemspec composer.json
    pom.xml *.gradle *.gradle.kts gradle.properties libs.versions.toml *.csproj *.fsproj *.vbproj packages.config
    packages.lock.json paket.* directory.packages.props mix.exs rebar.* *.cabal cabal.project* stack.yaml* *.nimble
    pubspec.* package.swift package.resolved podfile* *.podspec cartfile* project.clj deps.edn *.opam vcpkg*.json
    conanfile.* *.rockspec cpanfile* brewfile* aptfile *.lock
  `),
  patterns: [/(^|\/)requirements\/[^/]+\.(txt|in)$/iu],
};

const buildRow: PathRow = {
  class: 'build',
  what: 'what builds, tests, configures or delivers the project, and scripts of tools',
  names: words(`
    makefile* gnumakefile *.mk *.mak cmakelists.txt *.cmake meson.build meson_options.txt meson.options sconstruct
    sconscript wscript *.bzl *.bazel justfile taskfile* procfile* rakefile* guardfile capfile thorfile fastfile
    appfile dangerfile* vagrantfile berksfile dockerfile* *.dockerfile containerfile* docker-compose* tiltfile
    skaffold* snakefile *.service *.nix *.tf *.tfvars *.hcl *.props *.targets *.sln *.slnx dune dune-* *.config.*
    *.conf.* *.setup.* *.workspace.* *.pth gulpfile.* gruntfile.* *.toml *.ini *.cfg *.conf *.y*ml *.json* *.xml
    *.gradle* *.ac *.am *.in *.m4 gradlew* mvnw* robots.txt ads.txt version.txt *.properties *.plist *.pbxproj
    *.xcconfig *.ps1 *.psm1 *.sh *.bash *.zsh *.fish *.bat *.cmd *.vbs
  `),
  stems: words(`
    setup build make install uninstall preinstall postinstall prepare prepublish publish release deploy bump ci
    configure config configuration conf settings env noxfile fabfile dodo duties pavement manage versioneer _version
    ez_setup hubconf hatch_build _custom_build extconf jakefile brunchfile brocfile pnpmfile robofile fastfile
    magefile locustfile knexfile buildfile shakefile webpack rollup rolldown vite vitest jest karma mocha ava cypress
    playwright wdio protractor babel nightwatch esbuild tsup tsdown swc parcel eslint prettier stylelint postcss
    tailwind gatsby-config gatsby-node gatsby-browser gatsby-ssr storybook middleware instrumentation preload
    bootstrap autoload setuptests setup-tests setup_tests test-setup test_setup testsetup globalsetup global-setup
    globalteardown global-teardown jest-setup vitest-setup codegen premake4 premake5 xmake myocamlbuild wp-config
    artisan rector ecs deployer castor scoper assemblyinfo globalusings ecosystem ormconfig pulumi cdk sst serverless
    snowpack craco commitlint sitecustomize plopfile wallaby testem truffle sidebars metalsmith fusebox pelicanconf
    publishconf celeryconfig gunicorn_conf setupproxy deptrac composer-unused composer-dependency-analyser
    monorepo-builder phparkitect phpstan psalm pint infection codeception behat envoy lighthouserc rsbuild rspack
    unbuild microbundle nyc stryker cucumber codecept testcafe typedoc docusaurus vuepress eleventy hexo versionrc
    changelogrc electron-builder lerna backstop wscript sconstruct sconscript waf cakefile premake pytest_plugins
    module-info data_readers dev_deps deps site_init usercustomize conftest gunicorn uwsgi alembic readme changelog
    license contributing
  `),
  // At the root of the repository or of a package, scripts of tools stand beside the code.
  patterns: [
    /^(?:(?:packages|apps|libs|crates|modules|services|plugins|examples|projects)\/[^/]+\/)?(?:[^/]*[-_.])?(?:angular|ansible|babel|bootstrap|build|bundle|cdk|ci|codegen|compile|config|configure|deploy|docker|drizzle|env|environment|eslint|forge|format|gen|generate|generator|grunt|gulp|hooks?|init|install|invoke|jest|karma|lint|loader|mage|make|manage|metro|migrate|next|nob|nox|nuxt|package|patch|plugins?|preload|prepare|prettier|prisma|project|proxy|publish|pulumi|register|release|remix|rollup|scripts?|seed|serverless|settings|setup|svelte|tasks?|terraform|tools?|tox|vite|vue|webpack|workspace)(?:[-_.][^/]*)?\.[a-z]+$/iu,
  ],
};

/** Folders of tool scripts: they are no part of what is shipped, and people or builds often run them. */
const toolFolderRow: PathRow = {
  class: 'build',
  what: 'source in a folder of tools, settings or documentation',
  names: words(`
    scripts script tools tool tooling ci hack hooks config configs conf etc deploy deployment deployments infra
    infrastructure ops devops packaging release buildsrc xtask cmake m4 gulp grunt webpack rollup tasks automation
    ansible puppet chef terraform pulumi helm charts k8s kubernetes docker nix docs doc documentation website site
    codegen generators generator templates template bazel setup install installer magefiles mill-build gradle
    site_scons fabfile _plugins _data _11ty _templates blueprints tuist fastlane rakelib waflib waftools *.analyzers
    analyzers sourcegenerators *.sourcegenerators macros *-macros *_macros *-derive *_derive eslint babel stylelint
    postcss cypress
  `),
  // The build of a Scala project is in its folder `project`; plugins of builds are in folders that say so.
  patterns: [
    /(^|\/)project\/[^/]+\.scala$/u,
    /(^|\/)(?:build|eslint|babel|stylelint|postcss|webpack|rollup|vite|plop|prettier|jest|convention|gradle)-[^/]+\//iu,
    /(^|\/)[^/]*-(?:conventions|loader|codemods?)\//iu,
    /(^|\/)inc\/([^/]+\/)*[^/]+\.pm$/u,
    /(^|\/)user\.cljc?$/u,
  ],
};

/** Beside tests, and not run as one. It can make tests pass or do anything while they run. */
const supportRow: PathRow = {
  class: 'test-support',
  what: 'what stands beside tests and is not run as one: fixtures, snapshots, helpers, setup',
  names: words(`
    fixtures fixture __fixtures__ __mocks__ mocks __snapshots__ snapshots testdata test-data test_data golden
    cassettes *.snap *.snapshot *.golden *.approved.*
  `),
};

const testFolderRow: PathRow = {
  class: 'test-support',
  what: 'a file in a folder of tests, or named like a test, that no runner of the project runs',
  names: words(`
    test tests spec specs t xt /features step_definitions step-definitions __tests__ e2e integration-tests testing testutil *.test.* *.tests.* *.spec.* *.specs.*
    *_test.* *_spec.* *-test.* *-spec.* test_*.* test-*.* test.* *.e2e.* *.cy.* *.stories.* *.tests
  `),
  patterns: [/(^|\/)[^/]*[a-z0-9](Tests?|TestCase|Spec|Suite)\.[a-z]+$|(^|\/)Test[A-Z][^/]*\.[a-z]+$/u],
};

const delicateRows: readonly PathRow[] = [
  {
    class: 'delicate',
    what: 'databases',
    patterns: [
      /(^|\/)(migrat(?:e|ions?|ors?)|schemas?|seeds?|seeders?|alembic|prisma|flyway|liquibase)(\/|\.)|\.sql$/iu,
      // Of prose it is only said where the program itself is.
      /(^|\/)(db|database)\/.*(?<!\.(?:md|rst|adoc))$/iu,
    ],
  },
  {
    class: 'delicate',
    what: 'security',
    patterns: [
      /(^|[/._-])(auth(?!ors?(?:[/._-]|$))\w*|login|oauth|crypt\w*|secrets?|passwords?|passwd|passphrases?|credentials?|mfa|totp|otp|2fa|sign-?in|tls|ssl|certs?|certificates?|privileges?|access-?control|permissions?|security|session|token|acl|rbac|jwt|saml|sso|csrf|cors|sandbox)s?([/._-]|$)/iu,
    ],
  },
];

/** Markdown that programs read as orders or templates. */
const agentTextRow: PathRow = {
  class: 'agent-text',
  what: 'texts that models or programs are given',
  names: words(`
    llms*.txt conventions.md *prompt*.md *prompt*.txt *instructions*.md rules.md memory.md persona*.md soul.md
    prompts prompt skills templates template _includes _layouts /agents /commands /rules /instructions /personas
    /modes /hooks /specs /chatmodes memory-bank ai knowledge.md best_practices.md best-practices.md guidelines.md
    review.md system.md *issue_template* *pull_request_template*
  `),
  // Coding agents name their files in capitals; of such names, only the long-known ones count as text for people.
  patterns: [
    /^(?!(?:docs?|documentation)\/)(?:[^/]+\/)*(?!(?:README|CHANGELOG|CHANGES|HISTORY|NEWS|CONTRIBUTING|CODE_OF_CONDUCT|LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|MAINTAINERS|GOVERNANCE|SUPPORT|ROADMAP|FAQ|INSTALL|UPGRADING|UPGRADE|RELEASES|CREDITS|THANKS|ACKNOWLEDGE?MENTS|ARCHITECTURE|DESIGN|GLOSSARY|TODO|HACKING|DEVELOPMENT|BUILDING|TESTING|TROUBLESHOOTING|USAGE)[._-])[A-Z][A-Z0-9_-]+(?:\.[^/]*)?\.[a-z]+$/u,
  ],
};

/** In this order; between the last of `before` and the first of `after` stand the tests that a runner of the project runs. */
export const rowsBeforeTests: readonly PathRow[] = [...steeringRows, foreignRow, dependenciesRow, supportRow];
export const rowsAfterTests: readonly PathRow[] = [...delicateRows, buildRow];
/** Only what has the extension of a source language is judged by these. */
export const rowsOfSource: readonly PathRow[] = [testFolderRow, toolFolderRow];
/** Only what has the extension of prose is judged by these. */
export const rowsOfProse: readonly PathRow[] = [agentTextRow];

/** Text that people read and nothing runs; not .mdx, .rmd, .qmd and the like, whose code is run when they are shown. */
export const proseExtensions: readonly string[] = ['md', 'markdown', 'rst', 'adoc', 'asciidoc'];
/** A plain text may be anything; these names are text for people, and so is every text in a folder of documentation. */
export const proseTextNames: readonly string[] = words(`
    readme changes changelog history news license licence copying notice authors contributors credits thanks todo
    faq acknowledgements acknowledgments
  `);
export const proseFolders: readonly string[] = ['docs', 'doc', 'documentation'];
/** Texts for people, in every folder. Any other text may be a page of a site, whose build runs what is in it. */
export const proseNames: readonly string[] = words(`
    readme changes changelog history news license licence copying notice authors contributors credits thanks todo
    faq contributing code_of_conduct support governance maintainers roadmap acknowledgements acknowledgments
  `);

export const sourceExtensions: readonly string[] = words(`
    ts mts cts tsx js mjs cjs jsx vue svelte py go rs rb php java kt scala swift c h cc cpp cxx hh hpp hxx m mm cs
    fs vb ex erl hs ml mli clj cljs cljc dart lua jl nim zig pl pm
  `);

/** Folders of packages that are kept in one repository. */
export const packageFolders: readonly string[] = words(
  'packages apps libs crates modules services plugins projects',
);
/** Parts of a program that have a folder of source each. */
export const partFolders: readonly string[] = words(
  'backend frontend server client api web ui core cli mobile desktop',
);
/**
 * Where the source of a program lies: at the root, in a package, or in a part. A file elsewhere may be a script that a
 * tool runs, no matter what its name is, so it asks a person: also a source file at the root itself.
 */
export const sourceFolders: readonly string[] = words(
  'src source sources lib app pkg cmd internal include components',
);

/** What may stand between two dots of a source file: the role that frameworks let a file name. */
export const sourceRoles: readonly string[] = words(`
    component service controller module directive pipe guard model entity dto types type util utils helper helpers
    store slice reducer actions selectors view page layout route routes router handler resolver repository mapper
    constants enum interface client api hook context provider factory builder
  `);
