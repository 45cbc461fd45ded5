/** Signs of what an entry means for its run. */
const tones: Readonly<Record<string, string>> = {
  'gate-asked': 'is-waiting',
  'gate-answered': 'is-answered',
  'run-ended': 'is-done',
  verdict: 'is-running',
};

/** @param what the entry in a sentence: that of a stop begins with how the run stands since then */
export function toneOfEntry(kind: string, what: string): string {
  if (kind !== 'run-stopped') return tones[kind] ?? '';
  if (/^waiting\b/u.test(what)) return 'is-waiting';
  return /^paused\b/u.test(what) ? '' : 'is-blocked';
}
