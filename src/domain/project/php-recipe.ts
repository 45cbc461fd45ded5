/** PHP, with Composer. */
import {
  firstName,
  noteUnlessIgnored,
  objectOf,
  type ProjectFacts,
  parseObject,
  type Recipe,
} from './recipe.ts';
import { findScript, lintScripts, readScripts, type Scripts, typeScripts } from './scripts-of-project.ts';

interface Manifest {
  readonly scripts: Scripts;
  readonly packages: ReadonlySet<string>;
}

function readManifest(text: string | null): Manifest {
  const json = parseObject(text);
  return {
    scripts: readScripts(json.scripts),
    packages: new Set([json.require, json['require-dev']].flatMap((one) => Object.keys(objectOf(one)))),
  };
}

interface Tool {
  readonly package: string;
  /** One of them has to be there, where the tool does nothing without settings. */
  readonly files: readonly string[];
  readonly words: string;
}

const distributed = (name: string): string[] => [name, `${name}.dist`];

const testTools: readonly Tool[] = [
  { package: 'pestphp/pest', files: [], words: 'vendor/bin/pest' },
  { package: 'phpunit/phpunit', files: [], words: 'vendor/bin/phpunit' },
];

const linters: readonly Tool[] = [
  {
    package: 'squizlabs/php_codesniffer',
    files: ['phpcs.xml', '.phpcs.xml'].flatMap(distributed),
    words: 'vendor/bin/phpcs',
  },
  {
    package: 'friendsofphp/php-cs-fixer',
    files: ['.php-cs-fixer.php', '.php-cs-fixer.dist.php'],
    words: 'vendor/bin/php-cs-fixer fix --dry-run --diff',
  },
  { package: 'laravel/pint', files: [], words: 'vendor/bin/pint --test' },
];

const typeCheckers: readonly Tool[] = [
  {
    package: 'phpstan/phpstan',
    files: [...distributed('phpstan.neon'), 'phpstan.dist.neon'],
    words: 'vendor/bin/phpstan analyse --no-progress',
  },
  { package: 'vimeo/psalm', files: distributed('psalm.xml'), words: 'vendor/bin/psalm --no-progress' },
];

const phpLintScripts = [...lintScripts, 'phpcs', 'cs', 'cs:check', 'cs-check', 'check-cs', 'check-style'];
const phpTypeScripts = [...typeScripts, 'phpstan', 'stan', 'psalm', 'analyse', 'analyze', 'static-analysis'];

/** The project's own script before a tool that it has. */
function findCheck(
  { names }: ProjectFacts,
  { scripts, packages }: Manifest,
  scriptNames: readonly string[],
  tools: readonly Tool[],
): string | null {
  const script = findScript(scripts, scriptNames);
  if (script !== null) return `composer run-script --timeout=0 ${script}`;
  const tool = tools.find(
    (one) => packages.has(one.package) && (one.files.length === 0 || firstName(names, one.files) !== null),
  );
  return tool === undefined ? null : `php ${tool.words}`;
}

export function detectPhp(facts: ProjectFacts): Recipe | null {
  const { names, textOf } = facts;
  if (!names.has('composer.json')) return null;
  const manifest = readManifest(textOf('composer.json'));
  const verify = findCheck(facts, manifest, ['test', 'tests'], testTools);
  return {
    program: 'composer',
    file: names.has('composer.lock') ? 'composer.lock' : 'composer.json',
    // Also without a package to fetch, it writes the loader of the project's own classes.
    setup: 'composer install --no-interaction',
    // Packagist lists packages; their files are on GitHub.
    hosts: ['repo.packagist.org:443', 'api.github.com:443', 'codeload.github.com:443'],
    verify,
    lint: findCheck(facts, manifest, phpLintScripts, linters),
    types: findCheck(facts, manifest, phpTypeScripts, typeCheckers),
    testNotes:
      verify === null
        ? ['composer.json has no test script and no PHPUnit, so no test command is proposed']
        : [],
    setupNotes: noteUnlessIgnored(facts, 'vendor'),
    checkNotes: [],
  };
}
