/**
 * The prompts of models, read from the installed package and from nowhere else; templates may come from the repository.
 */
export interface Prompts {
  /** A prompt with its variables filled in. Fails when one is missing or unknown. */
  render(name: string, variables: Readonly<Record<string, string>>): Promise<string>;
  /** A document template; the repository's own copy in `.gatewright/templates/` wins over the package's. */
  template(name: string): Promise<string>;
}
