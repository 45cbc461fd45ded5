/**
 * The proposal as a file: in the one canonical form of JSON, signed for one workflow run. A file in another form, or for
 * another workflow run, is refused whole.
 */
import { GatewrightError } from '../../errors.ts';
import { canonicalJson, isSignatureValid, type Json, sha256, signText } from '../ledger/hash.ts';
import { isSameRepository } from '../ledger/subject.ts';
import { type Proposal, proposalCaps, proposalSchema } from './proposal.ts';

/** The workflow run that a proposal has to be for. */
export interface ProposalPlace {
  readonly repository: string;
  readonly workflowRun: number;
  readonly attempt: number;
  readonly agents: readonly string[];
  readonly event: string | null;
  readonly base: string;
}

type Named = Pick<Proposal, 'repository' | 'workflowRun' | 'attempt'>;

/** A key that is good for one attempt of one workflow run. */
function keyOf(ledgerKey: string, { repository, workflowRun, attempt }: Named): string {
  return signText(
    ledgerKey,
    canonicalJson(['gatewright proposal', repository.toLowerCase(), workflowRun, attempt]),
  );
}

export function sealProposal(ledgerKey: string, proposal: Proposal): string {
  const body = JSON.parse(JSON.stringify(proposalSchema.parse(proposal))) as Json;
  const signature = signText(keyOf(ledgerKey, proposal), canonicalJson(body));
  const text = canonicalJson({ body, signature });
  if (Buffer.byteLength(text) <= proposalCaps.bytes) return text;
  throw refuse(`it has more than ${proposalCaps.bytes} bytes`);
}

function refuse(why: string): GatewrightError {
  return new GatewrightError('proposal-refused', `The proposal is refused: ${why}.`);
}

/** Whether brackets are nested deeper than that anywhere; found without recursion. */
function isDeeper(text: string, most: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (isText) {
      if (letter === '\\') at += 1;
      else if (letter === '"') isText = false;
    } else if (letter === '"') isText = true;
    else if (letter === '{' || letter === '[') {
      depth += 1;
      if (depth > most) return true;
    } else if (letter === '}' || letter === ']') depth -= 1;
  }
  return false;
}

function decode(bytes: Uint8Array): string {
  if (bytes.length > proposalCaps.bytes) throw refuse(`it has more than ${proposalCaps.bytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse('it is not text in UTF-8');
  }
}

function parse(text: string): unknown {
  if (isDeeper(text, proposalCaps.depth)) throw refuse('it is nested too deeply');
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('it is not JSON');
  }
}

/** Fields that are there twice, spaces and other orders all make another text. */
function isCanonical(value: unknown, text: string): boolean {
  try {
    return canonicalJson(value as Json) === text;
  } catch {
    return false;
  }
}

function findMisfit(proposal: Proposal, place: ProposalPlace): string | null {
  if (!isSameRepository(proposal.repository, place.repository)) return 'it is for another repository';
  if (proposal.workflowRun !== place.workflowRun) return 'it is for another workflow run';
  // A job that is run again after it was cut off finds the file of the attempt before.
  if (proposal.attempt > place.attempt) return 'it is for another attempt of the workflow run';
  if (proposal.event !== place.event) return 'it is for another event';
  if (proposal.base !== place.base) return 'it was made at another commit';
  if (canonicalJson([...proposal.agents].sort()) !== canonicalJson([...place.agents].sort()))
    return 'it is for other agents';
  const runs = proposal.runs.map((one) => one.run);
  if (new Set(runs).size < runs.length) return 'it has the same run twice';
  for (const { calls } of proposal.runs) {
    const names = calls.map(({ role, call }) => `${role}#${call}`);
    if (new Set(names).size < names.length) return 'it answers the same call twice';
  }
  return null;
}

/** The proposal, if it is whole and for this very workflow run; throws `proposal-refused` otherwise. */
export function openProposal(ledgerKey: string, bytes: Uint8Array, place: ProposalPlace): Proposal {
  const text = decode(bytes);
  const file = parse(text);
  if (typeof file !== 'object' || file === null || !isCanonical(file, text))
    throw refuse('it is not in the form in which it is written');
  const { body, signature, ...more } = file as Record<string, unknown>;
  const { data, error } = proposalSchema.safeParse(body);
  if (error !== undefined || Object.keys(more).length > 0) {
    const where = error?.issues[0]?.path.join('.') ?? Object.keys(more)[0] ?? '';
    throw refuse(`its form is wrong at "${where.slice(0, 100)}"`);
  }
  const bodyText = canonicalJson(body as Json);
  if (typeof signature !== 'string' || !isSignatureValid(keyOf(ledgerKey, data), bodyText, signature))
    throw refuse('its signature is not valid');
  const misfit = findMisfit(data, place);
  if (misfit !== null) throw refuse(misfit);
  if (data.bundle !== null && sha256(data.bundle.base64) !== data.bundle.hash)
    throw refuse('its bundle has another hash');
  return data;
}
