/**
 * Prompts from the installed package. They are never read from the repository: a prompt that tells the reviewer to be
 * kind must not come from what it reviews.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatewrightError } from '../../errors.ts';
import type { Prompts } from '../../ports/prompts.ts';
import type { Repository } from '../../ports/repository.ts';

const templateOverrides = '.gatewright/templates';

/** Fills `{{name}}` in one pass, so that a value which itself holds `{{…}}` stays as it is. */
export function fillVariables(text: string, variables: Readonly<Record<string, string>>): string {
  const used = new Set<string>();
  const filled = text.replace(/\{\{([a-z][a-zA-Z]*)\}\}/gu, (_, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined)
      throw new GatewrightError('internal', `The prompt needs the variable "${name}".`);
    used.add(name);
    return value;
  });
  const unused = Object.keys(variables).filter((name) => !used.has(name));
  if (unused.length > 0)
    throw new GatewrightError('internal', `The prompt does not use: ${unused.join(', ')}.`);
  return filled;
}

export class PackagePrompts implements Prompts {
  readonly #packageRoot: string;
  readonly #repository: Pick<Repository, 'readText'>;
  readonly #texts = new Map<string, string>();

  constructor(packageRoot: string, repository: Pick<Repository, 'readText'>) {
    this.#packageRoot = packageRoot;
    this.#repository = repository;
  }

  /** Read once: the package does not change under a running program. */
  #read(folder: 'prompts' | 'templates', name: string): string {
    const path = join(this.#packageRoot, folder, `${name}.md`);
    const text = this.#texts.get(path) ?? readFileSync(path, 'utf8');
    this.#texts.set(path, text);
    return text;
  }

  async render(name: string, variables: Readonly<Record<string, string>>): Promise<string> {
    return fillVariables(this.#read('prompts', name), variables);
  }

  /** A repository may have its own form of a document; what other programs take for commands (in folders) is ours. */
  async template(name: string): Promise<string> {
    const own = name.includes('/')
      ? null
      : await this.#repository.readText(`${templateOverrides}/${name}.md`);
    return own ?? this.#read('templates', name);
  }
}
