/** One row for each subject: the state of its chain, the entry up to which it was folded, and a signature. */
export const subjectStatesSchema = `
CREATE TABLE subject_states (
  subject TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  state TEXT NOT NULL,
  signature TEXT NOT NULL
) WITHOUT ROWID;
`;
