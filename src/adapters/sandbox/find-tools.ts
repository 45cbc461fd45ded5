/**
 * What a command in a sandbox needs of toolchains outside the system's own folders: of nvm, pyenv, rustup and their like,
 * which most people have in their home. It begins at the search path and follows it to installations. A folder is shown as
 * a whole only if it is one; of everything else a home holds, single programs at most.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, normalize } from 'node:path';
import { findProgram } from '../system/find-program.ts';
import { findSecrets, mostFoldersOfTool } from './find-secrets.ts';
import { isOfferedAlone, listNames, realPathOf } from './inspect-program.ts';
import { type HomePlaces, KnownHomes, usualHomePlaces } from './known-homes.ts';
import { pickMiseTools } from './pick-mise-tools.ts';
import { inside } from './scratch-folder.ts';
import { forgePrograms, isWithin, programFolders, systemPaths } from './system-paths.ts';
import {
  installedParts,
  mixedFolders,
  pathVariables,
  privateFolders,
  type ToolLayout,
  toolLayouts,
  wholeMarks,
  workMarks,
} from './tool-layouts.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface FoundTools {
  /** Files and folders that are shown; none is within another. */
  readonly shown: readonly string[];
  /** The same, with the places where they are seen: where they are, and where links on this machine make them seem to be. */
  readonly places: readonly { readonly from: string; readonly at: string }[];
  /** Places among those that are there and hold nothing. */
  readonly concealed: readonly { readonly from: string; readonly at: string }[];
  /** Files of the home that are seen in the home inside. */
  readonly homeFiles: readonly { readonly from: string; readonly at: string }[];
  /** Programs that are offered one by one, by name. */
  readonly programs: Readonly<Record<string, string>>;
  /** Where else programs are looked for, in this order. */
  readonly searchPath: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** Texts of files of our own, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Folders that are not shown, with the reason: those that a person named, and those that are too large. */
  readonly refused: readonly Refusal[];
}

interface Refusal {
  readonly path: string;
  readonly why: string;
  /** Whether a person asked for it, in these words. */
  readonly isNamed: boolean;
}

export interface Surroundings extends HomePlaces {
  /** A folder with more folders in it is not shown, because secrets in it might not be found. */
  readonly mostFolders: number;
}

export const usualSurroundings = (): Surroundings => ({
  ...usualHomePlaces(),
  mostFolders: mostFoldersOfTool,
});

/** Programs of other systems, and those that only work with a service of theirs. */
const foreignPlaces = ['/mnt', '/snap', '/var/lib/snapd', '/proc', '/sys', '/dev', '/run/gatewright'];
/** More single programs than that are no toolchain. */
const mostPrograms = 300;
const deepEnough = 3;

/** Where a toolchain is, and where it seems to be. */
interface Root {
  readonly real: string;
  readonly named: string;
}

class ToolFinder {
  readonly #environment: Environment;
  readonly #mostFolders: number;
  readonly #home: string | null;
  /** The homes of all users. */
  readonly #homes: KnownHomes;
  readonly #shown = new Set<string>();
  /** Where a folder seems to be, because of a link, with where it is. */
  readonly #aliases = new Map<string, string>();
  readonly #programs = new Map<string, string>();
  readonly #searchPath = new Set<string>();
  readonly #layouts = new Set<string>();
  readonly #roots = new Map<ToolLayout, readonly Root[]>();
  readonly #homeFiles = new Map<string, string>();
  readonly #variables: Record<string, string> = {};
  readonly #settings: Record<string, string> = {};
  readonly #refused: Refusal[] = [];

  constructor(environment: Environment, { mostFolders, homes, homeParents }: Surroundings) {
    this.#environment = environment;
    this.#mostFolders = mostFolders;
    const home = realPathOf(environment.HOME ?? '');
    this.#home = home === null || home === '/' ? null : home;
    if (this.#home !== null) this.#rename(environment.HOME ?? '', this.#home);
    const own = this.#home === null ? [] : [this.#home];
    const named = Object.values(environment).flatMap((value) => value?.split(delimiter) ?? []);
    this.#homes = new KnownHomes({ homes: [...own, ...homes], homeParents }, named);
  }

  find(wanted: readonly string[]): FoundTools {
    for (const path of wanted) this.#grant(path);
    for (const entry of (this.#environment.PATH ?? '').split(delimiter)) this.#followEntry(entry);
    for (const layout of toolLayouts)
      if (layout.programs.some((name) => this.#isOffered(name))) this.#showLayout(layout);
    const { shown, secrets } = this.#lookThrough();
    this.#tellPaths();
    const isTold = ([, path]: readonly [string, string]): boolean =>
      isWithin(path, inside.own) || this.#isSeen(path);
    return {
      ...{ shown, refused: this.#refused },
      places: shown.flatMap((path) => this.#placesOf(path)),
      concealed: secrets.flatMap((path) => this.#placesOf(path)),
      homeFiles: [...this.#homeFiles].map(([from, at]) => ({ from, at })),
      programs: Object.fromEntries([...this.#programs].filter(([, file]) => this.#isShown(file))),
      searchPath: [...this.#searchPath].filter((path) => this.#isShown(path)),
      variables: Object.fromEntries(Object.entries(this.#variables).filter(isTold)),
      settings: this.#settings,
    };
  }

  /** Takes away what is too large to be looked through, and finds the secrets in the rest. */
  #lookThrough(): { readonly shown: readonly string[]; readonly secrets: readonly string[] } {
    const candidates = [...this.#shown].sort();
    const shown: string[] = [];
    const secrets: string[] = [];
    for (const path of candidates) {
      if (shown.some((other) => isWithin(path, other))) continue;
      const found = findSecrets(path, this.#mostFolders);
      if (found !== null) {
        shown.push(path);
        for (const one of found) secrets.push(one);
        continue;
      }
      const why = `has more than ${this.#mostFolders} folders, too many to search for secrets`;
      this.#refused.push({ path, why, isNamed: false });
    }
    this.#shown.clear();
    for (const path of shown) this.#shown.add(path);
    return { shown, secrets };
  }

  /** Scripts of a toolchain name it by the place where it seems to be. */
  #rename(named: string, real: string): void {
    const place = normalize(named).replace(/(?<=.)\/$/u, '');
    if (place !== real && !systemPaths.some((path) => isWithin(place, path))) this.#aliases.set(place, real);
  }

  #placesOf(from: string): { from: string; at: string }[] {
    const others = [...this.#aliases]
      .filter(([, real]) => isWithin(from, real))
      .map(([named, real]) => ({ from, at: `${named}${from.slice(real.length)}` }));
    return [{ from, at: from }, ...others];
  }

  #below(name: string): string {
    return join(this.#home ?? '/nowhere', name);
  }

  #isPrivate(path: string): boolean {
    return this.#homes
      .around(path)
      .some((home) => privateFolders.some((name) => isWithin(path, join(home, name))));
  }

  /** Whether showing all of it would show a home, or much else that is in one. */
  #isTooMuch(path: string): boolean {
    if (path === '/' || /^\/[^/]+$/u.test(path) || this.#homes.areIn(path)) return true;
    const kept = [...mixedFolders, ...privateFolders];
    return this.#homes.around(path).some((home) => kept.some((name) => isWithin(join(home, name), path)));
  }

  #isShown(path: string): boolean {
    return [...systemPaths, ...this.#shown].some((folder) => isWithin(path, folder));
  }

  /** Whether it is there inside, if only as a folder around something that is shown. */
  #isSeen(path: string): boolean {
    return this.#isShown(path) || [...this.#shown].some((one) => isWithin(one, path));
  }

  /** A folder that a person named; what in it looks like a secret is covered all the same. */
  #grant(given: string): void {
    const path = given === '~' || given.startsWith('~/') ? this.#below(given.slice(2)) : given;
    const real = isAbsolute(path) ? realPathOf(path) : null;
    const why = this.#whyNot(real);
    if (real === null || why !== null) {
      this.#refused.push({ path: given, why: why ?? 'is not there', isNamed: true });
      return;
    }
    this.#shown.add(real);
    this.#rename(path, real);
    this.#searchPath.add(existsSync(join(real, 'bin')) ? join(real, 'bin') : real);
  }

  #whyNot(real: string | null): string | null {
    if (real === null) return 'is not there';
    if (!statSync(real).isDirectory()) return 'is not a folder';
    if (this.#isPrivate(real)) return 'is a folder for logins';
    return this.#isTooMuch(real) ? 'contains more than tools, such as logins' : null;
  }

  #followEntry(entry: string): void {
    const real = isAbsolute(entry) ? realPathOf(entry) : null;
    if (real === null || !statSync(real).isDirectory()) return;
    if (foreignPlaces.some((place) => isWithin(real, place)) || this.#isPrivate(real)) return;
    // Programs that a project installed for itself come with its copy, or not at all.
    if (basename(real) === '.bin') return;
    if (systemPaths.some((place) => isWithin(real, place))) {
      if (!programFolders.includes(real)) this.#searchPath.add(real);
    } else if (this.#showHomeOf(real)) {
      this.#searchPath.add(real);
      this.#followLinks(real);
    } else this.#offerOneByOne(real);
  }

  /** Shows the toolchain that a folder of programs belongs to; false when it belongs to none. */
  #showHomeOf(folder: string): boolean {
    if (this.#isShown(folder)) return true;
    const root = dirname(folder);
    const isKnown = wholeMarks.some((mark) => mark.every((name) => existsSync(join(root, name))));
    if (basename(folder) === 'bin' && isKnown && this.#showInstallation(root)) return true;
    for (const layout of toolLayouts)
      for (const { real } of this.#rootsOf(layout))
        if (isWithin(folder, real)) {
          this.#showLayout(layout);
          if (this.#isShown(folder)) return true;
        }
    return basename(folder) === 'bin' && this.#showInstallation(root);
  }

  /** Asked for every program that stands alone, so each layout is looked for once. */
  #rootsOf(layout: ToolLayout): readonly Root[] {
    const known = this.#roots.get(layout) ?? this.#findRoots(layout);
    this.#roots.set(layout, known);
    return known;
  }

  #findRoots({ variables, places }: ToolLayout): Root[] {
    const given = variables.map((name) => this.#environment[name] ?? '').filter((path) => isAbsolute(path));
    const usual = places.map((place) => (isAbsolute(place) ? place : this.#below(place)));
    return [...new Set([...given, ...usual])].flatMap((named) => {
      const real = realPathOf(named);
      return real === null || this.#isPrivate(real) ? [] : [{ real, named }];
    });
  }

  #showLayout(layout: ToolLayout): void {
    if (this.#layouts.has(layout.name)) return;
    this.#layouts.add(layout.name);
    for (const { real, named } of this.#rootsOf(layout)) {
      const parts = layout.parts.flatMap((part) => this.#expand(real, part));
      if (parts.length === 0) continue;
      for (const part of parts) this.#shown.add(part);
      this.#rename(named, real);
      for (const [name, path] of Object.entries(layout.told)) this.#variables[name] ??= join(real, path);
      for (const name of ['bin', 'shims']) this.#followLinks(join(real, name));
    }
    for (const name of layout.homeFiles ?? []) {
      const file = realPathOf(this.#below(name));
      if (file !== null && statSync(file).isFile()) this.#homeFiles.set(file, join(inside.home, name));
    }
    if (layout.name === 'mise') this.#settleMise();
  }

  /** Its settings may hold variables with secrets, so only the names and versions of tools are taken from them. */
  #settleMise(): void {
    const file = realPathOf(this.#below('.config/mise/config.toml'));
    if (file === null) return;
    this.#settings['mise.toml'] = pickMiseTools(readFileSync(file, 'utf8'));
    this.#variables.MISE_GLOBAL_CONFIG_FILE = `${inside.own}/mise.toml`;
  }

  #expand(root: string, part: string): string[] {
    if (part === '.') return this.#isTooMuch(root) ? [] : [root];
    const folder = join(root, dirname(part));
    const name = basename(part);
    const names = name.endsWith('*')
      ? listNames(folder).filter((one) => one.startsWith(name.slice(0, -1)))
      : [name];
    return names.flatMap((one) => {
      const real = realPathOf(join(folder, one));
      return real === null || this.#isTooMuch(real) || this.#isPrivate(real) ? [] : [real];
    });
  }

  #showInstallation(folder: string): boolean {
    const has = (name: string): boolean => existsSync(join(folder, name));
    const isInstalled = has('bin') && ['lib', 'lib64', 'libexec'].some(has) && !workMarks.some(has);
    if (!isInstalled || this.#isTooMuch(folder) || this.#isPrivate(folder)) return false;
    const depth = (path: string): number => path.split('/').filter((part) => part !== '').length;
    const start = depth(this.#homes.around(folder)[0] ?? '/');
    const isDeep = depth(folder) - start >= (isWithin(folder, '/opt') ? 2 : deepEnough);
    if (isDeep || wholeMarks.some((mark) => mark.every(has))) this.#shown.add(folder);
    else for (const part of installedParts.flatMap((one) => this.#expand(folder, one))) this.#shown.add(part);
    this.#followLinks(join(folder, 'bin'));
    return true;
  }

  /** Programs in a folder that is shown may be links to other toolchains: an interpreter, or a manager of versions. */
  #followLinks(folder: string): void {
    for (const name of listNames(folder).slice(0, mostPrograms)) {
      const real = realPathOf(join(folder, name));
      if (real !== null && !this.#isShown(real)) this.#reach(real);
    }
  }

  /** Whether a program can be seen, with what it belongs to. */
  #reach(file: string): boolean {
    if (this.#isShown(file)) return true;
    if (this.#isPrivate(file) || !statSync(file).isFile()) return false;
    if (this.#showHomeOf(dirname(file))) return true;
    if (!isOfferedAlone(file)) return false;
    this.#shown.add(file);
    return true;
  }

  #offerOneByOne(folder: string): void {
    for (const name of listNames(folder).filter((one) => !forgePrograms.includes(one))) {
      const real = this.#programs.size < mostPrograms ? realPathOf(join(folder, name)) : null;
      if (real !== null && !this.#programs.has(name) && this.#reach(real)) this.#programs.set(name, real);
    }
  }

  #isOffered(name: string): boolean {
    const path = [...this.#searchPath, ...programFolders].join(delimiter);
    return this.#programs.has(name) || findProgram({ PATH: path }, name) !== null;
  }

  #tellPaths(): void {
    for (const name of pathVariables) {
      const value = this.#environment[name] ?? '';
      const real = isAbsolute(value) ? realPathOf(value) : null;
      if (real !== null && this.#isSeen(real)) this.#variables[name] ??= real;
    }
  }
}

/** @param wanted further folders, as a person named them */
export function findTools(
  environment: Environment,
  wanted: readonly string[],
  surroundings: Surroundings = usualSurroundings(),
): FoundTools {
  return new ToolFinder(process.platform === 'win32' ? {} : environment, surroundings).find(wanted);
}
