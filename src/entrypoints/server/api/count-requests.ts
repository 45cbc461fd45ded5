/** What the server tells of itself, in the text form of Prometheus. Nothing of the repository is in it. */

export class RequestCounts {
  readonly #counts = new Map<string, number>();

  /** @param method one of those that are taken; others could be any text */
  count(method: 'GET' | 'POST' | 'other', status: number): void {
    const labels = `method="${method}",status="${status}"`;
    this.#counts.set(labels, (this.#counts.get(labels) ?? 0) + 1);
  }

  write(now: { readonly listeners: number; readonly position: number; readonly version: string }): string {
    const metric = (name: string, type: string, help: string, lines: readonly string[]): string =>
      `# HELP gatewright_${name} ${help}\n# TYPE gatewright_${name} ${type}\n${lines.map((line) => `gatewright_${name}${line}\n`).join('')}`;
    return [
      metric('build_info', 'gauge', 'The version that runs.', [`{version="${now.version}"} 1`]),
      metric(
        'http_requests_total',
        'counter',
        'Requests that were answered.',
        [...this.#counts].map(([labels, count]) => `{${labels}} ${count}`),
      ),
      metric('listeners', 'gauge', 'Pages that listen to events.', [` ${now.listeners}`]),
      metric('ledger_position', 'gauge', 'The position of the newest entry of the ledger.', [
        ` ${now.position}`,
      ]),
      metric('resident_memory_bytes', 'gauge', 'Memory of the whole process.', [
        ` ${process.memoryUsage.rss()}`,
      ]),
    ].join('');
  }
}
