/** Ruby, with Bundler. */
import { noteUnlessIgnored, type ProjectFacts, type Recipe } from './recipe.ts';

const folder = 'BUNDLE_PATH=vendor/bundle';
const bundle = `env ${folder} bundle`;

/** Whether the project asks for a gem itself: in its Gemfile, in a gemspec, or by the names in its lock file. */
function makeGemFinder({ names, textOf }: ProjectFacts): (gem: string) => boolean {
  const specs = [...names].filter((name) => name.endsWith('.gemspec')).slice(0, 5);
  const texts = ['Gemfile', ...specs].map((name) => textOf(name) ?? '');
  const lock = textOf('Gemfile.lock') ?? '';
  return (gem) => {
    const asked = new RegExp(`^[ \\t]*(?:gem|\\w+\\.add_\\w*dependency)[ \\t(]+["']${gem}["']`, 'mu');
    return texts.some((text) => asked.test(text)) || new RegExp(`^ {2,4}${gem}(?:!| \\(|$)`, 'mu').test(lock);
  };
}

const testTask = /\b(?:Rake|Minitest)::TestTask\b|^[ \t]*task[ \t(]+(?:["':]test\b|test:)/mu;

function testWords({ names, textOf }: ProjectFacts, hasGem: (gem: string) => boolean): string | null {
  if (names.has('.rspec') || (names.has('spec') && ['rspec', 'rspec-rails', 'rspec-core'].some(hasGem)))
    return 'rspec';
  if (names.has('test') && hasGem('rails')) return 'rails test';
  return testTask.test(textOf('Rakefile') ?? '') ? 'rake test' : null;
}

/** Each with what has to be in the root, if its gem alone is not enough. */
function chooseTool(
  { names }: ProjectFacts,
  hasGem: (gem: string) => boolean,
  tools: readonly (readonly [gem: string, words: string, needs?: string])[],
): string | null {
  const found = tools.find(([gem, , needs]) => hasGem(gem) && (needs === undefined || names.has(needs)));
  return found === undefined ? null : `${bundle} exec ${found[1]}`;
}

export function detectRuby(facts: ProjectFacts): Recipe | null {
  const { names } = facts;
  if (!names.has('Gemfile')) return null;
  const hasGem = makeGemFinder(facts);
  const test = testWords(facts, hasGem);
  return {
    program: 'bundle',
    file: 'Gemfile',
    setup: names.has('Gemfile.lock')
      ? `env BUNDLE_FROZEN=true ${folder} bundle install`
      : `${bundle} install`,
    hosts: ['rubygems.org:443', 'index.rubygems.org:443'],
    verify: test === null ? null : `${bundle} exec ${test}`,
    lint: chooseTool(facts, hasGem, [
      ['rubocop', 'rubocop'],
      ['standard', 'standardrb'],
    ]),
    types: chooseTool(facts, hasGem, [
      ['sorbet', 'srb tc', 'sorbet'],
      ['steep', 'steep check', 'Steepfile'],
    ]),
    testNotes:
      test === null ? ['neither RSpec nor a task "test" was found, so no test command is proposed'] : [],
    setupNotes: noteUnlessIgnored(facts, 'vendor/bundle', 'vendor'),
    checkNotes: [],
  };
}
