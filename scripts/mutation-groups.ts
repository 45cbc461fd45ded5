/**
 * The rules that mutation testing is about, in groups, and the unit tests that have to notice a change of them. A mutant of
 * a table runs all tests of its group, so a group stays small.
 */
export interface MutationGroup {
  readonly about: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

const inFolder =
  (folder: string) =>
  (...names: readonly string[]): string[] =>
    names.map((name) => `${folder}/${name}`);
const source = inFolder('src');
const network = inFolder('src/adapters/network');
const sqlite = inFolder('src/adapters/sqlite');
const contracts = inFolder('test/contracts');

export const mutationGroups: readonly MutationGroup[] = [
  {
    about: 'merging',
    files: source(
      'agents/auto-merge/rules/merge-conditions.ts',
      'domain/forge/forge-rules.ts',
      'agents/auto-merge/rules/merge-grant.ts',
    ),
    tests: source(
      'agents/auto-merge/rules/merge-conditions.test.ts',
      'agents/auto-merge/rules/merge-queue-conditions.test.ts',
      'domain/forge/forge-rules.test.ts',
      'agents/auto-merge/rules/merge-grant.test.ts',
    ),
  },
  {
    about: 'merging: how risky a change is',
    files: source('domain/changes/change-risk.ts'),
    tests: source('domain/changes/change-risk.test.ts'),
  },
  {
    about: 'merging: what a path is',
    files: source('domain/changes/path-class.ts'),
    tests: source(
      'domain/changes/path-edges.test.ts',
      'domain/changes/path-class.test.ts',
      'domain/changes/path-rows.test.ts',
    ),
  },
  {
    about: 'merging: the table of paths',
    files: source('domain/changes/path-table.ts'),
    tests: source('domain/changes/path-rows.test.ts'),
  },
  {
    about: 'merging: what a test is',
    files: source('domain/changes/test-runners.ts'),
    tests: source('domain/changes/test-runners.test.ts', 'domain/changes/test-runner-rows.test.ts'),
  },
  {
    about: 'approving: plans',
    files: source('domain/spoken/plan-approval.ts'),
    tests: source(
      'domain/spoken/plan-answer-edges.test.ts',
      'domain/spoken/plan-approval.test.ts',
      'domain/spoken/plan-revision.test.ts',
      'domain/spoken/approval-words.test.ts',
      'agents/implementer/rules/left-out-words.test.ts',
    ),
  },
  {
    about: 'approving: the words',
    files: source('domain/spoken/approval-words.ts'),
    tests: source('domain/spoken/approval-words.test.ts'),
  },
  {
    about: 'approving: what a person says',
    files: source('domain/spoken/spoken-text.ts'),
    tests: source(
      'domain/spoken/spoken-voices.test.ts',
      'domain/spoken/spoken-text.test.ts',
      'agents/implementer/rules/left-out-words.test.ts',
    ),
  },
  {
    about: 'approving: what a person says, in HTML',
    files: source('domain/spoken/spoken-elements.ts'),
    tests: source('domain/spoken/spoken-elements.test.ts'),
  },
  {
    about: 'approving: what a person says, in a mail',
    files: source('domain/spoken/spoken-mail.ts'),
    tests: source('domain/spoken/spoken-mail.test.ts', 'agents/implementer/rules/left-out-words.test.ts'),
  },
  {
    about: 'approving: verdicts',
    files: source('domain/drafts/read-verdict.ts'),
    tests: source(
      'domain/drafts/read-verdict-reasons.test.ts',
      'domain/drafts/read-verdict.test.ts',
      'domain/drafts/verdict-encoding.test.ts',
    ),
  },
  {
    about: 'approving: lines above the boxes of verdicts',
    files: source('domain/drafts/verdict-lines.ts'),
    tests: source(
      'domain/drafts/read-verdict-reasons.test.ts',
      'domain/drafts/read-verdict.test.ts',
      'domain/drafts/verdict-lines.test.ts',
    ),
  },
  {
    about: 'approving: words that hold an approval back',
    files: source('domain/drafts/verdict-reservations.ts', 'domain/drafts/fold-words.ts'),
    tests: source('domain/drafts/verdict-reservations.test.ts', 'domain/drafts/fold-words.test.ts'),
  },
  {
    about: 'approving: the encoding of a verdict',
    files: source('domain/drafts/verdict-encoding.ts'),
    tests: source('domain/drafts/verdict-encoding.test.ts'),
  },
  {
    about: 'approving: boxes of verdicts',
    files: source('domain/drafts/verdict-words.ts'),
    tests: source('domain/drafts/verdict-words.test.ts'),
  },
  {
    about: 'approving: dismissed findings',
    files: source('agents/implementer/rules/dismissal.ts'),
    tests: source(
      'agents/implementer/rules/dismissal.test.ts',
      'agents/implementer/rules/left-out-words.test.ts',
    ),
  },
  {
    about: 'approving: who reviewed',
    files: source('domain/models/reported-model.ts'),
    tests: source('domain/models/reported-model.test.ts'),
  },
  {
    about: 'secrets: where they are looked for',
    files: source('domain/changes/find-secrets.ts'),
    tests: source('domain/changes/find-secrets.test.ts'),
  },
  {
    about: 'secrets: their forms',
    files: source('domain/changes/secret-forms.ts'),
    tests: source('domain/changes/secret-forms.test.ts', 'domain/changes/secret-stand-ins.test.ts'),
  },
  {
    about: 'trees',
    files: source('domain/changes/judge-tree.ts', 'domain/changes/tree-link.ts'),
    tests: source('domain/changes/judge-tree.test.ts', 'domain/changes/tree-link.test.ts'),
  },
  {
    about: 'budgets',
    files: source('domain/models/budget.ts', 'domain/models/open-grants.ts'),
    tests: source('domain/models/budget.test.ts', 'domain/models/open-grants.test.ts'),
  },
  {
    about: 'authority: labels',
    files: source(
      'domain/forge/permission.ts',
      'agents/pull-requests/rules/label-provenance.ts',
      'agents/label-keeper/rules/label-transitions.ts',
    ),
    tests: source(
      'domain/forge/permission.test.ts',
      'agents/pull-requests/rules/label-provenance.test.ts',
      'agents/label-keeper/rules/label-transitions.test.ts',
    ),
  },
  {
    about: 'authority: orders',
    files: source('domain/fleet/program-orders.ts'),
    tests: source('domain/fleet/program-orders.test.ts'),
  },
  {
    about: 'authority: accounts',
    files: ['src/fleet/judge-actor.ts'],
    tests: ['src/fleet/judge-actor.test.ts'],
  },
  {
    about: 'the chain: hashes',
    files: source('domain/ledger/hash.ts', 'domain/ledger/ledger-entry.ts'),
    tests: source('domain/ledger/hash.test.ts', 'domain/ledger/ledger-entry.test.ts'),
  },
  {
    about: 'the chain: the ledger',
    files: [...sqlite('sqlite-ledger.ts', 'chain-writer.ts'), ...source('domain/ledger/chain.ts')],
    tests: contracts('sqlite-ledger-chain.test.ts', 'sqlite-ledger.test.ts'),
  },
  {
    about: 'the chain: what verifies it',
    files: sqlite('verify-ledger.ts', 'table-projection.ts'),
    tests: contracts(
      'sqlite-ledger-chain.test.ts',
      'sqlite-subject-states.test.ts',
      'sqlite-verify-pages.test.ts',
    ),
  },
  {
    about: 'the chain: what it comes to',
    files: sqlite('subject-states.ts'),
    tests: contracts('sqlite-ledger.test.ts', 'sqlite-subject-states.test.ts', 'sqlite-verify-pages.test.ts'),
  },
  {
    about: 'the gate: where a name may lead',
    files: network('forbidden-address.ts', 'ip-address.ts'),
    tests: network('ip-address.test.ts', 'forbidden-address.test.ts'),
  },
  {
    about: 'the gate: what it lets through',
    files: network('allowed-hosts.ts', 'parse-host.ts'),
    tests: network('allowed-hosts.test.ts', 'parse-host.test.ts'),
  },
];
