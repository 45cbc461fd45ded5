/** The licences of everything whose code is published within ours. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

function packageOf(input: string): string | null {
  return /^(?:.*\/)?(node_modules\/(?:@[^/]+\/)?[^/]+)\//u.exec(input)?.[1] ?? null;
}

/** Names, versions and licence texts of the packages that these files belong to. @param inputs from the root on */
export function collectLicences(inputs: readonly string[]): string {
  const folders = new Set(inputs.map(packageOf).filter((folder) => folder !== null));
  return [...folders]
    .sort()
    .map((folder) => {
      const path = join(root, folder);
      const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      const file = readdirSync(path).find((one) => /^licen[cs]e/iu.test(one));
      const text = file === undefined ? `Licence: ${license}` : readFileSync(join(path, file), 'utf8').trim();
      return `${name} ${version}\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
