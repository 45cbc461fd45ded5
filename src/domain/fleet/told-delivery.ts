/** The delivery of an event that a job on GitHub Actions tells a workflow itself, because GitHub tells nobody of it. */

const form = /^told\/(?<file>[a-z-]+\.yml)\/(?<run>[0-9A-Z]+)\/\d+$/u;

export function tellWorkflow(file: string, run: string, number: number): string {
  return `told/${file}/${run}/${number}`;
}

/** Whose workflow file it is for, and the run that it comes of; null of any other delivery. */
export function readTold(delivery: string): { readonly file: string; readonly run: string } | null {
  const { file, run } = form.exec(delivery)?.groups ?? {};
  return file === undefined || run === undefined ? null : { file, run };
}
