/**
 * The forms of an English verb that people write: "veto" as "vetoes", "vetoed", "vetoing". Used to refuse, so a form too
 * many does no harm. Pure.
 */

const third = (verb: string): string[] => {
  if (/[^aeiou]y$/u.test(verb)) return [`${verb.slice(0, -1)}ies`];
  return /(?:s|x|z|ch|sh|o)$/u.test(verb) ? [`${verb}es`, `${verb}s`] : [`${verb}s`];
};

/** Before "-ed" and "-ing", some double their last letter: "stopped", "cancelled" beside "canceled". */
function stems(verb: string): string[] {
  if (/[^e]e$/u.test(verb)) return [verb.slice(0, -1)];
  return /[^aeiou][aeiou][^aeiouwxy]$/u.test(verb) ? [verb, `${verb}${verb.slice(-1)}`] : [verb];
}

/** Forms that say that it goes on, or is done again and again. */
export function listPresentForms(verb: string): string[] {
  return [verb, ...third(verb), ...stems(verb).map((stem) => `${stem}ing`)];
}

/** All forms. Those of irregular verbs are not known here. */
export function listVerbForms(verb: string): string[] {
  const present = listPresentForms(verb);
  if (/[^aeiou]y$/u.test(verb)) return [...present, `${verb.slice(0, -1)}ied`];
  return [...present, ...stems(verb).map((stem) => (stem.endsWith('e') ? `${stem}d` : `${stem}ed`))];
}
