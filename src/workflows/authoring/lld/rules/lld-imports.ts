/** Whether the code in a design imports modules of the project that neither exist nor are planned. */
import type { LldDocument } from './lld-document.ts';

const scriptLanguages = ['ts', 'tsx', 'typescript', 'js', 'jsx', 'javascript', 'mjs'];
const pythonLanguages = ['py', 'python', 'python3'];

interface ImportProblem {
  readonly module: string;
  readonly problem: string;
}

/** `./a/b.ts` → `a/b`: designs seldom say from which file they import, so only the end of the path is compared. */
function tailOf(specifier: string): string {
  return specifier
    .split('/')
    .filter((part) => part !== '.' && part !== '..')
    .join('/')
    .replace(/\.(?:[cm]?[jt]sx?|json)$/u, '');
}

function scriptImports(code: string): string[] {
  const found = code.matchAll(
    /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*['"](\.{1,2}\/[^'"\n]{1,200})['"]/gu,
  );
  return [...found].map((match) => match[1] ?? '');
}

/** Only packages whose first part is a folder of the repository: all others come from elsewhere. */
function pythonImports(code: string, topFolders: ReadonlySet<string>): string[] {
  const found = code.matchAll(
    /^[ \t]{0,40}(?:from[ \t]+([\w.]{1,200})[ \t]+import|import[ \t]+([\w.]{1,200}))/gmu,
  );
  return [...found]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((module) => topFolders.has(module.split('.')[0] ?? ''));
}

export function checkImports(
  document: Pick<LldDocument, 'code' | 'files'>,
  files: readonly string[],
): ImportProblem[] {
  const paths = [...files, ...(document.files ?? []).map((row) => row.path)];
  const stems = new Set<string>();
  for (const path of paths) {
    if (path.length > 400) continue;
    const parts = path.replace(/\.[^./]+$/u, '').split('/');
    // Every ending of the path may be what an import says; folders count for their index file.
    for (let from = 0; from < parts.length; from += 1) {
      stems.add(parts.slice(from).join('/'));
      if (['index', '__init__', 'mod'].includes(parts.at(-1) ?? ''))
        stems.add(parts.slice(from, -1).join('/'));
    }
  }
  const topFolders = new Set(
    paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''),
  );
  const modules = new Map<string, string>();
  for (const { language, text } of document.code) {
    if (scriptLanguages.includes(language)) {
      for (const module of scriptImports(text)) modules.set(module, tailOf(module));
    } else if (pythonLanguages.includes(language)) {
      for (const module of pythonImports(text, topFolders)) modules.set(module, module.split('.').join('/'));
    }
  }
  return [...modules]
    .filter(([, stem]) => stem !== '' && !stems.has(stem))
    .map(([module]) => ({ module, problem: 'is imported, but no such file exists or is planned.' }));
}
