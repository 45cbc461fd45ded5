/**
 * Where a template comes from: fetched into the objects of the local repository, under a name that no other code uses.
 */
export interface TemplateSource {
  /** The newest commit of the template's default branch. Nothing of the template is run or checked out. */
  fetchTemplate(source: string): Promise<{ readonly commit: string }>;
}
