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
const domain = inFolder('src/domain');
const network = inFolder('src/adapters/network');
const sqlite = inFolder('src/adapters/sqlite');
const contracts = inFolder('test/contracts');

export const mutationGroups: readonly MutationGroup[] = [
  {
    about: 'merging',
    files: domain('merge-conditions.ts', 'forge-rules.ts', 'merge-grant.ts'),
    tests: domain('merge-conditions.test.ts', 'forge-rules.test.ts', 'merge-grant.test.ts'),
  },
  {
    about: 'merging: how risky a change is',
    files: domain('change-risk.ts'),
    tests: domain('change-risk.test.ts'),
  },
  {
    about: 'merging: what a path is',
    files: domain('path-class.ts'),
    tests: domain('path-edges.test.ts', 'path-class.test.ts', 'path-rows.test.ts'),
  },
  {
    about: 'merging: the table of paths',
    files: domain('path-table.ts'),
    tests: domain('path-rows.test.ts'),
  },
  {
    about: 'merging: what a test is',
    files: domain('test-runners.ts'),
    tests: domain('test-runners.test.ts', 'test-runner-rows.test.ts'),
  },
  {
    about: 'approving: plans',
    files: domain('plan-approval.ts'),
    tests: domain(
      'plan-answer-edges.test.ts',
      'plan-approval.test.ts',
      'plan-revision.test.ts',
      'approval-words.test.ts',
      'left-out-words.test.ts',
    ),
  },
  {
    about: 'approving: the words',
    files: domain('approval-words.ts'),
    tests: domain('approval-words.test.ts'),
  },
  {
    about: 'approving: what a person says',
    files: domain('spoken-text.ts'),
    tests: domain('spoken-voices.test.ts', 'spoken-text.test.ts', 'left-out-words.test.ts'),
  },
  {
    about: 'approving: what a person says, in HTML',
    files: domain('spoken-elements.ts'),
    tests: domain('spoken-elements.test.ts'),
  },
  {
    about: 'approving: what a person says, in a mail',
    files: domain('spoken-mail.ts'),
    tests: domain('spoken-mail.test.ts', 'left-out-words.test.ts'),
  },
  {
    about: 'approving: verdicts',
    files: domain('read-verdict.ts'),
    tests: domain('read-verdict-reasons.test.ts', 'read-verdict.test.ts'),
  },
  {
    about: 'approving: lines above the boxes of verdicts',
    files: domain('verdict-lines.ts'),
    tests: domain('read-verdict-reasons.test.ts', 'read-verdict.test.ts', 'verdict-lines.test.ts'),
  },
  {
    about: 'approving: boxes of verdicts',
    files: domain('verdict-words.ts'),
    tests: domain('verdict-words.test.ts'),
  },
  {
    about: 'approving: dismissed findings',
    files: domain('dismissal.ts'),
    tests: domain('dismissal.test.ts', 'left-out-words.test.ts'),
  },
  {
    about: 'approving: who reviewed',
    files: domain('reported-model.ts'),
    tests: domain('reported-model.test.ts'),
  },
  {
    about: 'secrets: where they are looked for',
    files: domain('find-secrets.ts'),
    tests: domain('find-secrets.test.ts'),
  },
  {
    about: 'secrets: their forms',
    files: domain('secret-forms.ts'),
    tests: domain('secret-forms.test.ts', 'secret-stand-ins.test.ts'),
  },
  {
    about: 'trees',
    files: domain('judge-tree.ts', 'tree-link.ts'),
    tests: domain('judge-tree.test.ts', 'tree-link.test.ts'),
  },
  {
    about: 'budgets',
    files: domain('budget.ts', 'open-grants.ts'),
    tests: domain('budget.test.ts', 'open-grants.test.ts'),
  },
  {
    about: 'authority: labels',
    files: domain('permission.ts', 'label-provenance.ts', 'label-transitions.ts'),
    tests: domain('permission.test.ts', 'label-provenance.test.ts', 'label-transitions.test.ts'),
  },
  {
    about: 'authority: orders',
    files: domain('program-orders.ts'),
    tests: domain('program-orders.test.ts'),
  },
  {
    about: 'authority: accounts',
    files: ['src/dispatch/judge-actor.ts'],
    tests: ['src/dispatch/judge-actor.test.ts'],
  },
  {
    about: 'the chain: hashes',
    files: domain('hash.ts', 'ledger-entry.ts'),
    tests: domain('hash.test.ts', 'ledger-entry.test.ts'),
  },
  {
    about: 'the chain: the ledger',
    files: [...sqlite('sqlite-ledger.ts', 'chain-writer.ts'), ...domain('ledger/chain.ts')],
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
    tests: contracts('sqlite-subject-states.test.ts', 'sqlite-verify-pages.test.ts'),
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
