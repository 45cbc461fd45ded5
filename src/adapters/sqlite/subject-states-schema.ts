/** One row for each subject: what its chain comes to, up to which entry, and in whose hand. */
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
