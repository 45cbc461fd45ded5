/**
 * The words of a learning as data. An agent of ours observed it, but the agent read texts of strangers, so a learning may
 * carry their words into later runs: it is one short line that notifies nobody, links nothing, ends no fence and gives
 * agents no orders.
 */
import { hideTokens } from '../../../domain/changes/hide-tokens.ts';
import { isPlainPath } from '../../../domain/changes/plain-path.ts';
import { escapeForLine } from '../../../domain/text/untrusted-text.ts';

export const longestLearning = 300;
const longestPath = 200;

/** Sentences that speak to agents, or about what only people and rules decide; what they teach is not worth the risk. */
const orders: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instructions?|rules?|prompts?|directions?|guidelines?|polic(?:y|ies)|above|earlier|previous)\b/iu,
  /\b(?:system|developer) (?:prompt|message|instructions?)\b/iu,
  /^\W*(?:system|assistant|user|developer|human|ai|agent|reviewer|writer|analyst|committer)\s*:/iu,
  /(?:^|[\s>])(?:#+ *)(?:system|assistant|user|developer|human)\b|\s(?:assistant|human|developer)\s*:\s/iu,
  /\bSYSTEM\s*:/u,
  /\b(?:maintainers?|owners?|admins?|reviewers?) (?:says?|said|allows?|allowed|decided)\b/iu,
  // The marks around data in prompts.
  /\b(?:BEGIN|END) [A-Z]{4,}\b/u,
  /\byou are (?:now|a|an|the)\b|\bact as\b|\bpretend\b|\bfrom now on\b/iu,
  /\b(?:always|please|must|should|to|just|simply|can)\s+(?:approve|merge|skip|disable|bypass|push)\b/iu,
  /^\W*(?:approve|merge|skip|disable|bypass|push)\b/iu,
  /\bapprov(?:e|es|ed|ing|als?)\b|\blgtm\b|\bverdicts?\b/iu,
  /\b(?:skip|skips|skipping|bypass|bypasses|bypassing|disable|disables|disabling)\b.{0,20}\b(?:reviews?|reviewers?|checks?|gates?|verification)\b/iu,
  /\b(?:and|then|so|,) (?:merge|push)\b|\bmerge (?:it|this|these|the (?:pull request|branch|change))\b/iu,
  /\b(?:do not|don't|never)\s+(?:run|report|mention|tell|review|test|verify|check|ask)\b/iu,
];

function listSentences(line: string): string[] {
  return line.split(/(?<=[.!?;])\s+/u);
}

/** One step: what is taken out may leave something behind that has to be taken out as well. */
function takeOut(text: string): string {
  const words = hideTokens(text)
    // The text of a link may stay; where it leads may not.
    .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/\S*:\/\/\S*|\S*\bwww\.\S*/giu, '[link]')
    // Marks of ours, tags, fences of code and prompts.
    .replace(/[<>]+/gu, ' ')
    .replace(/[`~]+/gu, "'")
    .replace(/-{3,}|={3,}/gu, '-')
    .replace(/@(?=[\p{L}\p{N}_])/gu, '(at) ')
    .replace(/(?:#|\bGH-)(?=\d)/giu, 'number ');
  const line = escapeForLine(words, longestLearning * 4);
  const kept = listSentences(line).filter((sentence) => !orders.some((order) => order.test(sentence)));
  return escapeForLine(kept.join(' '), longestLearning);
}

const mostSteps = 8;

/** On one line and without effect; null when nothing of it is left, or when it comes to no end. */
export function inertLearning(text: string): string | null {
  // Enough of it to find the first words in: what is kept is much shorter.
  let inert = takeOut(text.slice(0, longestLearning * 8));
  for (let step = 0; step < mostSteps; step += 1) {
    const next = takeOut(inert);
    if (next === inert) return /[\p{L}\p{N}]/u.test(inert) ? inert : null;
    inert = next;
  }
  return null;
}

/** A path that says nothing but where a file is; null for anything else. */
export function inertPath(path: string | null): string | null {
  if (path === null || path.length > longestPath || !isPlainPath(path)) return null;
  if (!/^[\p{L}\p{N}._@+/()[\]$-]+$/u.test(path)) return null;
  return path;
}
