/** The drafter that needs no model: rules put the words of a brief or an issue into the sections of the template. */
import { makeBuiltinModel } from './builtin-model.ts';

/** The rules are loaded when they draft: most runs have a model for that. */
export const outlineDrafter = makeBuiltinModel('outline', 'the built-in outline', async (request) => {
  const { outlineDraft } = await import('./outline-draft.ts');
  return outlineDraft(request);
});
