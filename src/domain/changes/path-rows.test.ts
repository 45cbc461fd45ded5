/**
 * Every row of the table of paths, written out once more: an example of each name, and the class that it has. A word that
 * is lost from the table, bent, or moved to a lighter class is noticed here.
 */
import { describe, expect, it } from 'vitest';
import { judgePath, mayMerge } from './path-class.ts';
import { mergingClasses, type PathClass } from './path-table.ts';

const words = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

/** What is said about paths. They are compared in lists, since a test for each would take longer than the rule itself. */
const wordsOf = (paths: readonly string[]): string[] =>
  paths.map((path) => {
    const { class: found, what } = judgePath(path);
    return `${path}: ${found}, ${what}`;
  });

/** The paths that have another class, in a project without tests. */
const othersThan = (expected: PathClass, paths: readonly string[]): string[] =>
  paths.filter((path) => judgePath(path, []).class !== expected);

interface Examples {
  readonly class: PathClass;
  readonly what: string;
  readonly paths: string;
}

/** By the name of a file or of a folder. */
const named: readonly Examples[] = [
  {
    class: 'steering',
    what: 'instructions and settings of coding agents',
    paths: `
    claude.md claude.local.md agents.md agents.local.md agents.override.md agent.md gemini.md
    gemini.local.md qwen.md codex.md opencode.md crush.md warp.md jules.md junie.md replit.md skill.md
    copilot-instructions.md x.instructions.md x.prompt.md x.chatmode.md x.agent.md x.mdc opencode.jsonx
    crush.json mcp.json .mcpx .claudex .cursorx .windsurfx .codeiumx .codexx .geminix .qwenx .opencodex
    .crushx .aiderx .clinex .roox .kilox .continuex .kirox .amazonqx .juniex .goosex .augmentx .traex
    .factoryx .droidx .devinx .copilotx .tabninex .codyx .sourcegraphx .openhandsx .all-handsx .plandexx
    .mentatx .warpx .voidx .pearaix .firebenderx .serenax .taskmasterx .rulerx .tesslx .specifyx .rules
    .agentsx .agent .ai .llm .prompts .skills .sweepx sweep.yaml .coderabbitx .ellipsisx .greptilex
    .pr_agentx .bitox .gatewrightx gatewright.config.x
  `,
  },
  {
    class: 'steering',
    what: 'continuous integration, bots that merge or update, and who has to approve',
    paths: `
    .github .gitlab .gitlab-cix x.gitlab-ci.yml x.gitlab-ci.yaml .gitea .forgejo .circleci .travisx
    .dronex .buildkitex .woodpeckerx .tekton .semaphore .cirrusx appveyor.yml appveyor.yaml .appveyorx
    azure-pipelinesx .azure-pipelinesx .azuredevops .azure bitbucket-pipelinesx .bitbucket jenkinsfilex
    .jenkinsx x.jenkinsfile .builds .build.yml .build.yaml buildspecx.yml buildspecx.yaml cloudbuildx.yxml
    cloudbuildx.json .teamcity .concoursex codefresh.yxml .codefreshx wercker.yml shippable.yml
    .scrutinizerx codemagic.yxml bitrise.yxml dagger.json .dagger earthfile .ci .prowx .zuulx zuul.yaml
    .evergreenx .taskclusterx .harness .gocdx screwdriver.yaml codeowners owners_aliases renovate.jsonx
    .renovatercx .dependabot dependabot.yxml .mergifyx .kodiakx bors.toml .borsx .aviator .codecovx
    codecov.yxml .lgtmx
  `,
  },
  {
    class: 'steering',
    what: 'hooks, and what git itself obeys',
    paths: `
    .git .gitattributes .gitmodules .gitconfig .lfsconfig .githooks .hooks .huskyx .pre-commit-x
    .pre-commit lefthook.x lefthook-local.x .lefthookx .overcommitx .lintstagedx lint-staged.x
    .simple-git-hooksx simple-git-hooks.x .captainhookx captainhook.json
  `,
  },
  {
    class: 'steering',
    what: 'what editors, shells and package managers run or obey as soon as a folder is opened',
    paths: `
    .vscodex .idea .fleet .vs .zed .devcontainerx devcontainer.json .gitpodx .idx .replit replit.nix
    .codesandbox .stackblitzrc .ona x.code-workspace x.sublime-project x.sublime-workspace .exrc .vimrc
    .lvimrc .nvimrc .nvimx .dir-localsx .envrc .env .direnv mise.toml .misex mise.x.toml .tool-versions
    .npmrc .yarnrcx .yarn .pnp.x .pnpmfilex .cargo .bazelrc .bundle .gemrc .mvn .gradle .pypirc pip.conf
    .condarc bunfig.toml .nuget nuget.config
  `,
  },
  {
    class: 'foreign',
    what: 'code of others, and what programs made',
    paths: `
    node_modules bower_components jspm_packages vendor vendors third_party third-party thirdparty external
    extern externals deps site-packages pods carthage dist out target obj bin build builds _build coverage
    generated gen __generated__ __pycache__ x.egg-info x.min.x x.bundle.x x.chunk.x x.generated.x x.gen.x
    x_generated.x x.pb.x x_pb.x x_pb2.x x_pb2_grpc.x x.designer.x x.g.x x.freezed.x zz_generatedx wwwroot
    static public assets
  `,
  },
  {
    class: 'dependencies',
    what: 'what other people’s code comes in by',
    paths: `
    package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lockx
    pnpm-workspace.yaml deno.jsonx deno.lock jsr.json import_map.json importmap.json pyproject.toml
    poetry.lock uv.lock pdm.lock pylockx.toml pipfilex xrequirementsx.txt xrequirementsx.in
    xconstraintsx.txt xdepsx.txt xdependenciesx.txt xreqsx.txt runtime.txt xpackagesx.txt apt.txt
    environmentx.yml environmentx.yaml setup.py setup.cfg go.mod go.sum go.workx cargo.toml cargo.lock
    gemfilex gems.rb x.gemspec composer.json composer.lock pom.xml x.gradle x.gradle.kts gradle.properties
    libs.versions.toml x.csproj x.fsproj x.vbproj packages.config packages.lock.json paket.x
    directory.packages.props mix.exs mix.lock rebar.x x.cabal cabal.projectx stack.yamlx x.nimble
    pubspec.x package.swift package.resolved podfilex x.podspec cartfilex project.clj deps.edn x.opam
    vcpkgx.json conanfile.x x.rockspec cpanfilex brewfilex aptfile x.lock flake.lock
  `,
  },
  {
    class: 'test-support',
    what: 'what stands beside tests and is not run as one: fixtures, snapshots, helpers, setup',
    paths: `
    fixtures fixture __fixtures__ __mocks__ mocks __snapshots__ snapshots testdata test-data test_data
    golden cassettes x.snap x.snapshot x.golden x.approved.x
  `,
  },
  {
    class: 'build',
    what: 'what builds, tests, configures or delivers the project, and scripts of tools',
    paths: `
    makefilex gnumakefile x.mk x.mak cmakelists.txt x.cmake meson.build meson_options.txt meson.options
    sconstruct sconscript wscript workspace.bazel module.bazel x.bzl x.bazel justfile taskfilex procfilex
    rakefilex guardfile capfile thorfile fastfile appfile dangerfilex vagrantfile berksfile dockerfilex
    x.dockerfile containerfilex docker-composex compose.yxml tiltfile skaffoldx snakefile nginx.conf
    x.service x.nix x.tf x.tfvars x.hcl x.props x.targets x.sln x.slnx dune dune-x x.config.x x.conf.x
    x.setup.x x.workspace.x conf.py conftest.py sitecustomize.py usercustomize.py x.pth gulpfile.x
    gruntfile.x tox.ini pytest.ini x.toml x.ini x.cfg x.conf x.yxml x.jsonx x.xml x.gradlex x.ac x.am x.in
    x.m4 gradlewx mvnwx robots.txt ads.txt version.txt manifest.in x.properties x.plist x.pbxproj
    x.xcconfig x.ps1 x.psm1 x.sh x.bash x.zsh x.fish x.bat x.cmd x.vbs
  `,
  },
  {
    class: 'hidden',
    what: 'a hidden file, or one in a hidden folder',
    paths: `
    .justfile
  `,
  },
  {
    class: 'test-support',
    what: 'a file in a folder of tests, or named like a test, that no runner of the project runs',
    paths: `
    test/a.java tests/a.java spec/a.java specs/a.java __tests__/a.java e2e/a.java integration-tests/a.java
    testing/a.java testutil/a.java t/a.java xt/a.java features/a.java step_definitions/a.java
    step-definitions/a.java src/x.test.java src/x.tests.java src/x.spec.java src/x.specs.java
    src/x_test.java src/x_spec.java src/x-test.java src/x-spec.java src/test_x.java src/test-x.java
    src/test.java src/x.e2e.java src/x.cy.java src/x.stories.java x.tests/a.java
  `,
  },
  {
    class: 'build',
    what: 'source in a folder of tools, settings or documentation',
    paths: `
    scripts/a.java script/a.java tools/a.java tool/a.java tooling/a.java ci/a.java hack/a.java
    hooks/a.java config/a.java configs/a.java conf/a.java etc/a.java deploy/a.java deployment/a.java
    deployments/a.java infra/a.java infrastructure/a.java ops/a.java devops/a.java packaging/a.java
    release/a.java buildsrc/a.java build-logic/a.java build-tools/a.java xtask/a.java cmake/a.java
    m4/a.java gulp/a.java grunt/a.java webpack/a.java rollup/a.java tasks/a.java automation/a.java
    ansible/a.java puppet/a.java chef/a.java terraform/a.java pulumi/a.java helm/a.java charts/a.java
    k8s/a.java kubernetes/a.java docker/a.java nix/a.java docs/a.java doc/a.java documentation/a.java
    website/a.java site/a.java codegen/a.java generators/a.java generator/a.java templates/a.java
    template/a.java bazel/a.java setup/a.java install/a.java installer/a.java magefiles/a.java
    mill-build/a.java gradle/a.java site_scons/a.java fabfile/a.java _plugins/a.java _data/a.java
    _11ty/a.java _templates/a.java blueprints/a.java tuist/a.java fastlane/a.java rakelib/a.java
    waflib/a.java waftools/a.java x.analyzers/a.java analyzers/a.java sourcegenerators/a.java
    x.sourcegenerators/a.java macros/a.java x-macros/a.java x_macros/a.java x-derive/a.java
    x_derive/a.java eslint/a.java babel/a.java stylelint/a.java postcss/a.java cypress/a.java
  `,
  },
  {
    class: 'agent-text',
    what: 'texts that models or programs are given',
    paths: `
    conventions.md xpromptx.md xinstructionsx.md rules.md memory.md personax.md soul.md docs/prompts/a.md
    docs/prompt/a.md docs/skills/a.md docs/templates/a.md docs/template/a.md docs/_includes/a.md
    docs/_layouts/a.md agents/README.md commands/README.md rules/README.md instructions/README.md
    personas/README.md modes/README.md hooks/README.md specs/README.md chatmodes/README.md
    docs/memory-bank/a.md docs/ai/a.md knowledge.md best_practices.md best-practices.md guidelines.md
    review.md system.md docs/xissue_templatex/a.md docs/xpull_request_templatex/a.md docs/llmsx.txt
    docs/xpromptx.txt
  `,
  },
];

/** Beginnings of names of source files. */
const stems = words(`
  setup build make makefile install uninstall preinstall postinstall prepare prepublish publish release
  deploy bump ci configure config configuration conf settings env noxfile fabfile dodo duties pavement
  manage versioneer _version ez_setup hubconf hatch_build _custom_build extconf gulpfile gruntfile
  jakefile dangerfile brunchfile brocfile pnpmfile robofile rakefile fastfile magefile locustfile knexfile
  buildfile shakefile webpack rollup rolldown vite vitest jest karma mocha ava cypress playwright wdio
  protractor babel nightwatch esbuild tsup tsdown swc parcel eslint prettier stylelint postcss tailwind
  gatsby-config gatsby-node gatsby-browser gatsby-ssr storybook middleware instrumentation preload
  bootstrap autoload setuptests setup-tests setup_tests test-setup test_setup testsetup globalsetup
  global-setup globalteardown global-teardown jest-setup vitest-setup codegen premake4 premake5 xmake
  myocamlbuild wp-config artisan rector ecs deployer castor scoper assemblyinfo globalusings ecosystem
  ormconfig pulumi cdk sst serverless snowpack craco commitlint sitecustomize plopfile wallaby testem
  truffle sidebars metalsmith fusebox pelicanconf publishconf celeryconfig gunicorn_conf setupproxy
  deptrac composer-unused composer-dependency-analyser monorepo-builder phparkitect phpstan psalm pint
  infection codeception behat envoy lighthouserc rsbuild rspack unbuild microbundle nyc stryker cucumber
  codecept testcafe typedoc docusaurus vuepress eleventy hexo versionrc changelogrc electron-builder lerna
  backstop wscript sconstruct sconscript waf cakefile premake pytest_plugins module-info data_readers
  dev_deps deps site_init usercustomize conftest gunicorn uwsgi readme changelog license contributing
`);

it.each(named)('$class: $what', ({ class: expected, what, paths }) =>
  expect(wordsOf(words(paths))).toEqual(words(paths).map((path) => `${path}: ${expected}, ${what}`)),
);

describe('source in a folder of source, that a row holds back', () => {
  const held = named.flatMap(({ class: expected, what, paths }) =>
    words(paths)
      .filter((path) => path.endsWith('/a.java') && path !== 'features/a.java')
      .map((path) => [`src/${path}`, `src/${path}: ${expected}, ${what}`] as const),
  );
  it('is what the row says', () =>
    expect(wordsOf(held.map(([path]) => path))).toEqual(held.map(([, wanted]) => wanted)));
  it('and would be source without that row', () => expect(judgePath('src/x/a.java').class).toBe('source'));
});

it('a file of a database is no test by lying beside tests', () => {
  expect(judgePath('tests/alembic.rs').class).toBe('delicate');
  expect(judgePath('tests/alembics.rs').class).toBe('test');
});

it('source builds, by the beginning of its name', () => {
  const paths = stems.flatMap((stem) => [`${stem}.ts`, `${stem.toUpperCase()}.go`, `${stem}.x.ts`]);
  expect(
    othersThan(
      'build',
      paths.map((path) => `src/a/${path}`),
    ),
  ).toEqual([]);
});

/** By an expression over the whole path. */
const fitting: readonly (readonly [PathClass, string])[] = [
  ['dependencies', 'requirements/base.txt a/requirements/base.in a/Requirements/base.txt'],
  ['build', 'project/A.scala a/project/Ab.scala inc/A.pm a/inc/b/c/De.pm user.clj a/user.cljc'],
  ...words(
    'build eslint babel stylelint postcss webpack rollup vite plop prettier jest convention gradle',
  ).map((word) => ['build', `${word}-ab/a.java a/${word}-ab/b/c.java`] as const),
  ...words('conventions loader codemod codemods').map((word) => ['build', `ab-${word}/a.java`] as const),
  [
    'test-support',
    'src/AbTest.m a/b2Tests.m AbTestCase.m AbSpec.m AbSuite.m TestAb.m a/TestA.m TestABc.m src/AbTest.mm',
  ],
  ...words(
    'migrate migration migrations migrator migrators schema schemas seed seeds seeder seeders alembic prisma flyway liquibase',
  ).map(
    (word) => ['delicate', `src/${word}/ab.m ${word}/ab.md src/a/${word}.m ${word.toUpperCase()}.m`] as const,
  ),
  ['delicate', 'a.sql src/ab.SQL db/ab.m src/database/a/bc.m db/ab.json DB/ab.m docs/db/a.txt db/a.markdown'],
  ...words(
    'auth authz authentication authorization login logins oauth crypt crypto cryptography secret secrets password passwords passwd passphrase passphrases credential credentials mfa totp otp 2fa sign-in signin tls ssl cert certs certificate certificates privilege privileges access-control accesscontrol permission permissions security session sessions token tokens acl acls rbac jwt jwts saml sso csrf cors sandbox sandboxes',
  ).flatMap((word) =>
    word === 'sandboxes'
      ? []
      : [
          [
            'delicate',
            `src/${word}.m src/${word}/a.m src/a-${word}.m src/a_${word}-b.m src/a.${word}.m`,
          ] as const,
        ],
  ),
  ...words(
    'angular ansible babel bootstrap build bundle cdk ci codegen compile config configure deploy docker drizzle env environment eslint forge format gen generate generator grunt gulp hook hooks init install invoke jest karma lint loader mage make manage metro migrate next nob nox nuxt package patch plugin plugins preload prepare prettier prisma project proxy publish pulumi register release remix rollup script scripts seed serverless settings setup svelte task tasks terraform tool tools tox vite vue webpack workspace',
  ).flatMap((word) =>
    ['migrate', 'prisma', 'seed'].includes(word)
      ? []
      : [
          // As a text at the root it would be prose.
          [
            'build',
            `${word}.md ${word}.m a-${word}.m ab_${word}-cd.m packages/a/${word.toUpperCase()}.m`,
          ] as const,
        ],
  ),
  ...words('packages apps libs crates modules services plugins examples projects').map(
    (word) => ['build', `${word}/ab/next-cd.m`] as const,
  ),
  [
    'agent-text',
    'AB.md packages/a/docs/ABC.md packages/a/doc/b/A1_B-C.md AB.de.md ABREADME.md READMEX.md DOCS/AB.md',
  ],
];

/** Names that are near those, and are what they seem. */
const apart: readonly (readonly [PathClass, string])[] = [
  ['source', 'src/project/A.m src/projects/a/b.m src/aproject/A.scala src/incs/A.pm src/ainc/A.pm'],
  ['source', 'src/users.clj src/auser.clj'],
  ['source', 'src/abuild-ab/a.m src/build.ab/a.m src/ab-loaders/a.m src/abloader/a.m'],
  [
    'source',
    words('backend frontend server client api web ui core cli mobile desktop')
      .map((part) => `${part}/src/a.m`)
      .join(' '),
  ],
  [
    'source',
    'src/TestAb.x/c.m src/Testing.m src/attest.m src/latests.m src/contestA.m src/Test2.m src/Aspect.m',
  ],
  ['source', 'src/immigration/a.m src/migrated/a.m src/dbs/a.m src/adb/a.m src/mydatabase/a.m'],
  [
    'source',
    'src/author.m src/authors.m src/author/a.m src/a-author.m src/blogin.m src/tokenizer.m src/across.m',
  ],
  ['source', 'src/build-tree.m src/ab/build.ab/a.m src/next-a.m packages/a/src/next-a.m'],
  ['prose', 'nexts.md anext.md docs/next-a.md packages/a/docs/next-a.md'],
  [
    'prose',
    'db/README.md docs/database/a.md docs/db/a.rst docs/db/a.adoc docs/AB.md doc/AB.md documentation/a/AB.md A.md Ab.md',
  ],
  // Neither built nor given to models: they only lie where no rule knows what they are for.
  ['unknown', 'aproject/A.m incs/A.pm nexts.m anext.m packages/a/b/next-a.m other/a/next-a.m'],
  ['unknown', 'src/database/a.md db/a.rst db/a.adoc src/INSTALL.md src/UPGRADING.de.md'],
  ['unknown', 'src/ABC.md a/b/A1_B-C.md document/AB.md a/docs/AB.md prompts/a.md agents/a.md skills/a.md'],
  [
    'prose',
    words(
      'README CHANGELOG CHANGES HISTORY NEWS CONTRIBUTING CODE_OF_CONDUCT LICENSE LICENCE COPYING NOTICE AUTHORS CONTRIBUTORS MAINTAINERS GOVERNANCE SUPPORT ROADMAP FAQ UPGRADING UPGRADE RELEASES CREDITS THANKS ACKNOWLEDGMENTS ACKNOWLEDGEMENTS ARCHITECTURE DESIGN GLOSSARY TODO HACKING DEVELOPMENT BUILDING TESTING TROUBLESHOOTING USAGE',
    )
      .flatMap((word) => [`${word}.md`, `packages/a/docs/${word}.de.md`, `${word}-AB.md`, `${word}_AB.md`])
      .join(' '),
  ],
  // At the root it builds, and in a folder of documentation it says how.
  ['prose', 'packages/a/docs/INSTALL.md packages/a/docs/INSTALL.de.md'],
];

it.each(fitting)('%s, by the whole path: %s', (expected, paths) =>
  expect(othersThan(expected, words(paths))).toEqual([]),
);
it.each(apart)('%s, and nothing else: %s', (expected, paths) =>
  expect(othersThan(expected, words(paths))).toEqual([]),
);

it('three classes may be merged, and no others', () => {
  expect(mergingClasses).toEqual(['prose', 'test', 'source']);
  for (const path of ['README.md', 'src/a.test.ts', 'src/a.ts']) expect(mayMerge(judgePath(path))).toBe(true);
  expect(judgePath('src/schema.m').what).toBe('databases');
  expect(judgePath('src/token.m').what).toBe('security');
});

describe('text for people', () => {
  it.each(words('md markdown rst adoc asciidoc'))('by .%s', (end) => {
    for (const path of [`a.${end}`, `docs/a.${end}`, `packages/x/docs/a/b.${end}`, `src/README.${end}`])
      expect(judgePath(path).class, path).toBe('prose');
    expect(judgePath(`src/a.${end}`)).toEqual({
      class: 'unknown',
      what: 'a text outside of the folders of documentation',
    });
  });
  it.each(
    words(`
      readme changes changelog history news license licence copying notice authors contributors credits thanks
      todo faq acknowledgements acknowledgments docs/a doc/a documentation/a packages/x/docs/a
    `),
  )('%s.txt', (name) => expect(judgePath(`${name}.txt`).class).toBe('prose'));
});

it.each(
  words(`
    component service controller module directive pipe guard model entity dto types type util utils helper helpers
    store slice reducer actions selectors view page layout route routes router handler resolver repository mapper
    constants enum interface client api hook context provider factory builder
  `),
)('a source file may be a .%s', (role) => expect(judgePath(`src/a.${role}.m`).class).toBe('source'));

describe('names that go on after what would make them something else', () => {
  it.each(
    words(`
      requirements/a.txt.go project/A.scala.go inc/A.pm.go src/user.clj.go src/AbTest.m.go
      src/a.sql.go src/author src/authors
    `),
  )('%s is not known', (path) => expect(judgePath(path, []).class).toBe('unknown'));
  it.each([
    ['unknown', 'next.a/b.m'],
    ['prose', 'next.a/README.md'],
    ['prose', 'packages/AB.x/docs/c.md'],
    ['unknown', 'AB.x/c.md'],
    ['build', 'next.mm'],
    ['build', 'inc/ab/cd/A.pm'],
    ['test-support', 'src/AbcdTest.m'],
    ['test-support', 'src/TestAb.mm'],
    ['delicate', 'auth.m'],
    ['delicate', 'src/token'],
  ])('%s: %s', (expected, path) => expect(judgePath(path, []).class).toBe(expected));
});
