/** What a gate is called on a page. */
const names: Readonly<Record<string, string>> = {
  draft: 'Draft gate',
  verdict: 'Verdict gate',
  filing: 'Filing failed',
  scope: 'Questions',
  plan: 'Plan gate',
  work: 'Next step',
  blocked: 'Blocked',
  testing: 'Testing',
  close: 'Closing',
  merge: 'Merge',
  escalation: 'Escalation',
};

export function nameGate(kind: string): string {
  return names[kind] ?? 'Gate';
}
