/** The sections of an issue that are the same whatever the brief says; each says so itself. */
const sameForAll = '_The same for every issue, from the template._';

export const definitionOfDone = `${sameForAll}

### Implementation

- [ ] Every acceptance criterion is met

### Tools

- [ ] Scripts and configuration that the change touches are updated

### Documentation

- [ ] The documentation says what is true after the change

### Reports before merge

- [ ] The pull request says what was done and how it was tested

### Verification

- [ ] All tests pass`;

export const riskChecklist = `${sameForAll}

- [ ] **Architecture:** does this change how parts depend on each other?
- [ ] **Cost:** does this cost money to run or call paid services?
- [ ] **Legal, personal data:** does this store or send data about people?
- [ ] **Legal, external data:** does this use data or code of others?
- [ ] **Safety:** can this destroy or lose something?`;
