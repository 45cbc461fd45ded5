/** How rounds of correcting and reviewing end that come to nothing: our own words, as a clause, wherever it is told. */

export const convergenceWords = {
  stagnant: 'the review finds the same as before the last correction',
  contradictory: 'the review asks for the opposite of what it asked for before',
  'reviewer-fault': 'the answer of the reviewer could not be read twice in a row',
} as const;

/** Why corrections end before their limit. */
export type CorrectionEnd = 'stagnant' | 'contradictory';
