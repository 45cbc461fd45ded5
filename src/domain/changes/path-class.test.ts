/** Every row of the table, and that nothing which no row knows is ever let through. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { isSteeringPath, judgePath, mayMerge, steeringRootOf } from './path-class.ts';
import {
  type PathRow,
  packageFolders,
  partFolders,
  proseExtensions,
  proseNames,
  proseTextNames,
  rowsAfterTests,
  rowsBeforeTests,
  rowsOfProse,
  rowsOfSource,
  sourceExtensions,
  sourceFolders,
  sourceRoles,
} from './path-table.ts';
import { testRunners } from './test-runners.ts';

const classOf = (path: string) => judgePath(path).class;

/** A name that a glob of the table stands for. */
const example = (glob: string): string => glob.replace(/^\//u, '').replaceAll('*', 'x');

const merged = (paths: readonly string[]): string[] => paths.filter((path) => mayMerge(judgePath(path)));

const rows: readonly PathRow[] = [...rowsBeforeTests, ...rowsAfterTests];

describe('the table', () => {
  // One comparison for each row: a test for each name would take longer than the rule itself.
  it.each(rows)('$class: $what, wherever it is and however it is written', ({ class: of, names = [] }) => {
    const files = names.map(example);
    const paths = files.flatMap((file) => [file, file.toUpperCase(), `${file}/inside.ts`]);
    const isSteering = of === 'steering';
    expect(paths.filter((path) => (classOf(path) === 'steering') !== isSteering)).toEqual([]);
    const deep = names.filter((name) => !name.startsWith('/')).map(example);
    expect(merged([...paths, ...deep.map((file) => `lib/deep/${file}`)])).toEqual([]);
    const roots = deep.map((file) => `lib/${file}`);
    if (isSteering) expect(roots.map((root) => steeringRootOf(`${root}/x`))).toEqual(roots);
  });

  const stems = rows.flatMap((row) => row.stems ?? []);
  const forms = (stem: string, extension: string): string[] => [
    `${stem}.${extension}`,
    `src/a/${stem}.${extension}`,
    `${stem.toUpperCase()}.${extension}`,
  ];
  it('a source file that builds asks a person, by each name', () =>
    expect(merged(stems.flatMap((stem) => forms(stem, 'ts')))).toEqual([]));
  it('a source file that builds asks a person, in each language', () =>
    expect(
      merged(sourceExtensions.flatMap((end) => [...forms('setup', end), ...forms('conftest', end)])),
    ).toEqual([]));
  it('whatever builds asks a person, in all languages', () => {
    fc.assert(
      fc.property(fc.constantFrom(...stems), fc.constantFrom(...sourceExtensions), (stem, extension) => {
        expect(merged(forms(stem, extension))).toEqual([]);
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  it.each(rowsOfSource)('source asks a person: $what', ({ names = [] }) => {
    const paths = names
      .map(example)
      .map((file) => (file.includes('.') ? `src/${file.replace(/x$/u, 'java')}` : `${file}/inside.java`));
    expect(merged(paths)).toEqual([]);
  });

  it.each(rowsOfProse)('text asks a person: $what', ({ names = [] }) => {
    const paths = names.map(example).map((file) => (file.includes('.') ? file : `${file}/inside.md`));
    expect(merged(paths)).toEqual([]);
  });

  it.each(sourceExtensions)('knows source by .%s', (extension) => {
    expect(classOf(`src/orders.${extension}`)).toBe('source');
    for (const path of [`orders.${extension}`, `x/orders.${extension}`, `x/src/orders.${extension}`])
      expect(classOf(path), path).toBe('unknown');
    expect(classOf(`src/orders.x.${extension}`)).toBe('unknown');
    expect(classOf(`src/orders.${extension}.bak`)).toBe('unknown');
    expect(classOf(`src/orders${extension}`)).toBe('unknown');
    expect(classOf(`src/.orders.${extension}`)).toBe('hidden');
  });

  it.each(sourceFolders)('knows source in %s, at the root, in a package and in a part', (folder) => {
    for (const path of [`${folder}/a.ts`, `${folder}/a/b/c.ts`, `packages/x/${folder}/a.ts`])
      expect(classOf(path), path).toBe('source');
    for (const path of [`x/${folder}/a.ts`, `packages/${folder}/a.ts`, `${folder}.ts`, `t/${folder}/a.pm`])
      expect(mayMerge(judgePath(path)), path).toBe(false);
  });
  it.each(packageFolders)('knows the source of a package in %s', (folder) => {
    expect(classOf(`${folder}/x/src/a.ts`)).toBe('source');
    expect(classOf(`${folder}/x/docs/a.md`)).toBe('prose');
    for (const path of [`${folder}/x/a.ts`, `${folder}/a.ts`, `${folder}/x/y/src/a.ts`])
      expect(mayMerge(judgePath(path)), path).toBe(false);
  });
  it.each(partFolders)('knows the source of the part %s', (folder) => {
    expect(classOf(`${folder}/src/a.ts`)).toBe('source');
    for (const path of [`${folder}/a.ts`, `${folder}/x/src/a.ts`, `x/${folder}/src/a.ts`])
      expect(mayMerge(judgePath(path)), path).toBe(false);
  });
  it.each(proseNames)('takes %s.md for prose wherever it lies', (name) =>
    expect(classOf(`src/a/${name}.md`)).toBe('prose'),
  );

  it.each(sourceRoles)('lets a source file be called .%s', (role) =>
    expect(classOf(`src/orders.${role}.ts`)).toBe('source'),
  );

  it.each(proseExtensions)('knows prose by .%s', (extension) => {
    for (const path of [`README.${extension}`, `docs/a.de.${extension}`, `docs/v1.2.${extension}`])
      expect(classOf(path), path).toBe('prose');
    expect(classOf(`docs/a.prompt-x.${extension}`)).toBe('unknown');
  });

  it.each(proseTextNames)('takes %s.txt for prose', (name) => {
    expect(classOf(`${name.toUpperCase()}.txt`)).toBe('prose');
    expect(classOf(`${name}.x.txt`)).toBe('unknown');
  });

  it.each(testRunners.map(({ name }) => name))('%s decides what a test is', (name) => {
    const runner = testRunners.filter((one) => one.name === name);
    const others = testRunners.filter((one) => one.name !== name);
    const [path = ''] = runnerExamples[name] ?? [];
    expect(judgePath(path, runner).class).toBe('test');
    expect(mayMerge(judgePath(path, []))).toBe(false);
    for (const fake of runnerExamples[name]?.slice(1) ?? [])
      expect(judgePath(fake, runner).class, fake).not.toBe('test');
    expect(others.length).toBe(testRunners.length - 1);
  });
});

/** What each runs, then what it does not. */
const runnerExamples: Readonly<Record<string, readonly string[]>> = {
  vitest: [
    'src/a.test.ts',
    'src/a.test.txt',
    'src/a.test.ts.snap',
    'src/test/a.ts',
    'src/atest.ts',
    'a.tests.ts',
  ],
  jest: ['src/__tests__/a.js', 'src/__tests__/a.txt', '__tests__/__snapshots__/a.js', 'a_test.js'],
  mocha: ['test/a.js', 'test/deep/a.js', 'tests/a.js', 'test/a.ts', 'test/setup.js', 'src/a.test.js'],
  ava: ['test/a.mjs', 'test/_helper.mjs', 'test/fixtures/a.mjs', 'a.ts'],
  'node:test': ['test/a.mjs', 'tests/a.mjs', 'a.spec.mjs', 'test/a.json', 'test/setup.mjs', 'latest.mjs'],
  bun: ['src/a_test.ts', 'test/a.ts', 'a_test.txt'],
  deno: ['src/a_test.ts', 'src/a_tests.ts', 'src/latest.ts'],
  playwright: ['e2e/a.spec.ts', 'e2e/a.ts'],
  pytest: ['tests/test_a.py', 'tests/conftest.py', 'tests/a.py', 'tests/test_a.txt', 'contest_a.py'],
  unittest: ['tests/test_a.py', 'tests/a_test.py'],
  go: ['pkg/a_test.go', 'pkg/_a_test.go', 'pkg/a_test.txt', 'pkg/testdata/a_test.go', 'vendor/x/a_test.go'],
  cargo: ['tests/a.rs', 'tests/common/mod.rs', 'src/test_a.rs', 'tests/a.txt'],
  rspec: ['spec/a_spec.rb', 'spec/spec_helper.rb', 'lib/a_spec.rb'],
  minitest: ['test/a_test.rb', 'test/test_helper_x.txt', 'lib/a_test.rb'],
  phpunit: ['tests/ATest.php', 'tests/bootstrap.php', 'src/ATest.php'],
  junit: ['src/test/java/a/BTest.java', 'src/main/java/a/BTest.java', 'src/test/resources/BTest.java'],
  'dotnet test': ['App.Tests/BTests.cs', 'App/BTests.cs', 'App.Tests/Setup.cs'],
  'mix test': ['test/a_test.exs', 'test/test_helper.exs', 'lib/a_test.exs'],
  'swift test': ['Tests/AppTests/ATests.swift', 'Sources/ATests.swift'],
  'dart test': ['test/a_test.dart', 'lib/a_test.dart'],
  sbt: ['src/test/scala/ASpec.scala', 'src/main/scala/ASpec.scala'],
};

describe('what is let through', () => {
  it.each([
    ...[
      'src/orders.ts',
      'lib/report.mjs',
      'cmd/serve/main.go',
      'app/models/order.rb',
      'pkg/__init__.py',
      'lib/a/__init__.py',
    ],
    ...[
      'src/main/java/a/B.java',
      'Sources/App/View.swift',
      'src/users/users.service.ts',
      'crates/a/src/lib.rs',
    ],
    ...[
      'src/build-tree.ts',
      'src/certain.ts',
      'src/seeding.ts',
      'src/deps-list.ts',
      'src/user.ts',
      'src/tlsx.ts',
    ],
  ])('source: %s', (path) => expect(classOf(path)).toBe('source'));
  it.each([
    ...[
      'README.md',
      'docs/guide/start.md',
      'README.zh-CN.md',
      'docs/setup.md',
      'docs/install.rst',
      'CHANGELOG.md',
    ],
    ...[
      'docs/notes.txt',
      'src/orders/README.md',
      'LICENSE.txt',
      'packages/a/docs/notes.txt',
      'docs/GUIDE.md',
    ],
    ...['CODE_OF_CONDUCT.md', 'CONTRIBUTING.de.md', 'ROADMAP.md', 'docs/best-of.md', 'src/db/README.md'],
  ])('prose: %s', (path) => expect(classOf(path)).toBe('prose'));
  it.each([
    'src/a.test.ts',
    'test/report.test.mjs',
    'src/config.test.ts',
    'build_test.go',
    'tests/test_auth.py',
  ])('test: %s', (path) => expect(classOf(path)).toBe('test'));
});

/** Named in the issue, and many more of their kind: none of them may go without a person. */
const hostile = `
.travis.yml .drone.yml .buildkite/pipeline.yml .forgejo/workflows/a.yml .pre-commit-config.yaml .cargo/config.toml
.windsurfrules CLAUDE.local.md .codex/config.toml .gemini/settings.json .qwen/settings.json .opencode/agent/a.md
opencode.json CMakeLists.txt docs/conf.py src/README.js CHANGELOG.mjs ok.test.txt setup.py gulpfile.js Gruntfile.js
vite.config.ts jest.config.mjs next.config.js karma.conf.js .eslintrc.js babel.config.cjs webpack.prod.js rollup.mjs
Rakefile a.gemspec App.podspec build.rs build.zig Cargo.toml App.csproj Directory.Build.props App.sln conftest.py
noxfile.py tasks.py manage.py backend/manage.py setup.cfg tox.ini rules.mk BUILD.bazel WORKSPACE defs.bzl meson.build
SConstruct wscript Justfile Taskfile.yml Procfile Dockerfile.dev Containerfile nginx.conf app.service Vagrantfile
flake.nix default.nix deno.json bunfig.toml .npmrc .yarnrc.cjs .pnp.cjs lefthook.yml .lintstagedrc renovate.json
.circleci/config.yml bitbucket-pipelines.yml appveyor.yml .woodpecker/a.yml .gitea/workflows/a.yml .tekton/a.yaml
netlify.toml vercel.json wrangler.toml firebase.json middleware.ts src/middleware.ts sitecustomize.py a.pth robots.txt
requirements.txt requirements-dev.txt requirements/base.txt docs/requirements.txt constraints.txt llms.txt
llms-full.txt SKILL.md skills/a/README.md prompts/system.md .github/copilot-instructions.md .github/PULL_REQUEST_TEMPLATE.md
.cursor/rules/a.mdc rules/a.mdc docs/page.mdx docs/x.Rmd AGENTS.md sub/AGENTS.md GEMINI.md .clinerules .roo/rules/a.md
.continue/config.yaml .kiro/steering/a.md .amazonq/rules/a.md .junie/guidelines.md .goosehints .mcp.json .vscode/tasks.json
.aider.conf.yml .idea/workspace.xml .devcontainer/devcontainer.json .envrc .env .gitattributes .gitmodules .husky/pre-commit
node_modules/a/index.js vendor/a/b.go dist/index.js build/index.js src/a.min.js src/generated/a.ts a.pb.go a_pb2.py
src/__snapshots__/a.test.ts.snap test/fixtures/a.ts tests/helpers.py testdata/a_test.go index.d.ts src/index.d.ts
scripts/release.ts tools/gen.go bin/cli.js hack/update.go config/app.ts src/config.ts src/settings.py env.ts
package.json web/yarn.lock go.sum Gemfile.lock poetry.lock a.lock pom.xml build.gradle.kts settings.gradle Package.swift
Project.swift mix.exs rebar.config project.clj deps.edn Setup.hs docs/make.jl deps/build.jl Makefile.PL Build.pl xmake.lua
premake5.lua init.lua extconf.rb ext/a/extconf.rb magefile.go tools.go nob.c fabfile.py dodo.py versioneer.py
hatch_build.py postinstall.js scripts/postinstall.mjs preload.cjs bootstrap.php wp-config.php autoload.php rector.php
buildAll.js build-css.mjs packages/a/build-css.mjs packages/a/deploy.ts deploy.py release.mjs src/auth/login.ts
src/crypto.ts db/migrations/1.py schema.sql run.sh src/session.go .hidden.ts src/.hidden/a.ts LICENSE README Makefile
a.html a.css a.svg a.json a.wasm a.exe a.jar a.so a.ipynb a.proto a.graphql a.tf ansible/a.yml helm/a.yaml crontab
src/a.ts~ src/a.ts.orig src/a.TS docs/a.MD docs/a.md.exe readme.md.js notes.txt words.txt version.txt runtime.txt
CODEOWNERS docs/CODEOWNERS Jenkinsfile azure-pipelines.yml .gitlab-ci.yml .gitlab-ci-local.yml cloudbuild.yaml
project/Dependencies.scala mill-build/src/a.scala gradle/plugins/src/main/kotlin/A.kt convention-plugins/src/main/kotlin/A.kt
build-conventions/src/main/kotlin/A.kt plopfile.mjs wallaby.js testem.js truffle.js sidebars.js src/sidebars.ts metalsmith.js
_plugins/a.rb _data/a.js magefiles/a.go site_scons/site_init.py site_scons/site_tools/a.py fabfile/__init__.py
pelicanconf.py publishconf.py celeryconfig.py gunicorn_conf.py src/setupProxy.js inc/MyBuilder.pm eslint-rules/no-a.js
eslint-local-rules/index.js babel-plugin-a/index.js deptrac.php composer-unused.php monorepo-builder.php
phpstan.php Tuist/ProjectDescriptionHelpers/A.swift fastlane/actions/a.rb rakelib/a.rb waflib/a.py blueprints/a/index.js
App.Analyzers/A.cs macros/src/lib.rs a-derive/src/lib.rs cypress/support/commands.js dev/user.clj src/user.clj deps.ts
db/migrate/20240101_a.rb db/seeds.rb alembic/versions/a1_b.py prisma/seed.ts database/seeders/A.php src/credentials.ts
src/tls.ts src/certificates.ts src/mfa.ts src/signIn.ts src/accessControl.ts docs/rtd-constraints.txt docs/reqs.txt
docs/deps.txt docs/dependencies.txt src/docs/allowlist.txt src/main/resources/docs/prices.txt best_practices.md REVIEW.md
knowledge.md src/knowledge.md memory-bank/activeContext.md CODEBUDDY.md IFLOW.md KIMI.md COPILOT.md CURSOR.md AMP.md
src/NEWAGENT.md SYSTEM.md ai/a.md issue_template.md docs/pull_request_template.md PULL_REQUEST_TEMPLATE.md
docs/guide.md/x.md src/sum.mjs/x.mjs src/a.TS/x.ts docs/a.txt/b.md test/a.test.mjs/b.test.mjs README.md/a.md fuse.js deno.ts build.ts index.js main.go a.py server.js setup.ts tools.ts brocfile.ts x.js packages/a/fuse.js
features/support/env.js features/support/world.js features/step_definitions/a.js features/a.js t/lib/a.pm t/a.pm xt/a.pl
t/lib/Test/Helper.pm spec/support/a.rb src/pages/a.md pages/a.md content/post.md src/a.md posts/2026.md slides/a.md
docs/a.ts.md docs/a.js.md docs/a.py.md src/README.ts.md docs/a.mdx docs/a.Rmd docs/a.qmd docs/a.livemd docs/a.lhs
docs/a.litcoffee docs/a.coffee.md docs/a.myst docs/a.jmd docs/a.pmd docs/a.ipynb _posts/a.md book/src/a.md
buildspec.yml .mergify.yml bors.toml codecov.yml mise.toml .tool-versions .nvim.lua .exrc a.code-workspace gatewright.config.json
`
  .trim()
  .split(/\s+/u);

describe('what asks a person', () => {
  it('holds more than two hundred names', () => expect(hostile.length).toBeGreaterThan(200));
  it('each of them', () => expect(merged(hostile)).toEqual([]));
  it.each([
    ...[
      'src/a b.ts',
      'src/a.ts ',
      'src/a.ts.',
      'src/\u202Ea.ts',
      'src/раyment.ts',
      'docs/ａ.md',
      'docs/a\u200B.md',
    ],
    ...[
      '-rf.ts',
      'src/con.ts',
      'src/aux',
      'docs/a\n.md',
      'docs/a\\b.md',
      'src//a.ts',
      '/src/a.ts',
      'src/../a.ts',
    ],
    ...[
      `src/${'a'.repeat(200)}.ts`,
      `${'a/'.repeat(200)}a.ts`,
      'C:/a.ts',
      'src/a:b.ts',
      'src/[id].ts',
      '~/a.ts',
      '',
    ],
  ])('%j, for its name', (path) => expect(mayMerge(judgePath(path))).toBe(false));
});

describe('isSteeringPath', () => {
  it.each([
    ...['.claude/settings.json', 'sub/.mcp.json', '.husky/pre-commit', 'AGENTS.md', '.env', '.gitattributes'],
    // As a disk reads them that forgives.
    ...[
      '.GitHub/workflows/a.yml',
      '.github./a.yml',
      '.github /a.yml',
      '.git\u200Bhub/a.yml',
      '.ｇithub/a.yml',
    ],
    ...['.github::$INDEX_ALLOCATION/a.yml', 'Claude.MD ', 'CLAUDE.md/inside', 'deep/er/.codex/a'],
  ])('knows %j', (path) => expect(isSteeringPath(path)).toBe(true));
  it.each([
    ...[
      'src/claude.ts',
      'docs/agents-guide.md',
      'github/x',
      'src/owners/list.ts',
      'package.json',
      'Makefile',
    ],
    ...['.env.example', '.gitignore', 'src/lefthook/a.ts', 'cloudbuild/a.ts'],
  ])('leaves %s', (path) => expect(isSteeringPath(path)).toBe(false));
});

describe('generated paths', () => {
  const letters = fc.constantFrom(...'abcXYZ019._-+ ~:\u202E\u200Béя'.split(''), '..', '.test', '.md', '.ts');
  const part = fc.string({ unit: letters, maxLength: 12 });
  const extension = fc.constantFrom(
    ...sourceExtensions,
    ...proseExtensions,
    'txt',
    'json',
    'sh',
    'TS',
    'Md',
    'mdx',
    '',
  );
  const anyPath = fc
    .tuple(fc.array(part, { maxLength: 4 }), part, extension)
    .map(([folders, name, end]) => [...folders, `${name}${end === '' ? '' : `.${end}`}`].join('/'));

  it('let through only plain names with an extension of the table', () => {
    const known = new Set([...sourceExtensions, ...proseExtensions, 'txt', 'exs']);
    fc.assert(
      fc.property(anyPath, (path) => {
        if (!mayMerge(judgePath(path))) return;
        expect(path).toMatch(/^[\w+-][\w.+-]*(?:\/[\w+-][\w.+-]*)*$/u);
        expect(known.has(path.split('.').at(-1) ?? '')).toBe(true);
        expect(path.split('/').every((one) => /^\w/u.test(one) && !/[. ]$/u.test(one))).toBe(true);
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  it('ask a person as soon as one part of them is in the table, in whatever case', () => {
    const names = rowsBeforeTests.flatMap((row) => row.names ?? []).map(example);
    const cased = fc
      .tuple(fc.constantFrom(...names), fc.infiniteStream(fc.boolean()))
      .map(([name, capitals]) =>
        [...name].map((letter) => (capitals.next().value === true ? letter.toUpperCase() : letter)).join(''),
      );
    const plain = fc.array(fc.constantFrom('src', 'lib', 'a', 'orders'), { maxLength: 3 });
    fc.assert(
      fc.property(
        plain,
        cased,
        plain,
        fc.constantFrom('a.ts', 'a.md', 'a.test.ts'),
        (above, name, below, last) => {
          expect(mayMerge(judgePath([...above, name, ...below, last].join('/')))).toBe(false);
        },
      ),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('never get lighter with fewer runners', () => {
    fc.assert(
      fc.property(anyPath, fc.subarray([...testRunners]), (path, runners) => {
        if (mayMerge(judgePath(path, runners))) expect(mayMerge(judgePath(path))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
