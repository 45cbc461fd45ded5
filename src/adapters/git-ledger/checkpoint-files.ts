/**
 * How far the runs of workflows are, as files of a ledger on a git ref: `checkpoints/ab/HASH.json`, one for each run that
 * has not ended. Git compresses them, and keeps of each new one what differs from the one before. What is read from such a
 * file is made into objects, so it is signed: who may push to the ref cannot have them made of something else.
 */
import { z } from 'zod';
import { canonicalJson, isSignatureValid, signText } from '../../domain/ledger/hash.ts';
import { checkpointFile, damaged, readFile } from './ledger-files.ts';

/** Under the name of its form; bytes that are no JSON in base64. */
const valueForm = z.tuple([z.string(), z.string()]);

const checkpointForm = z.strictObject({
  ns: z.string(),
  id: z.string(),
  parent: z.string().nullable(),
  checkpoint: valueForm,
  metadata: valueForm,
  writes: z.array(
    z.strictObject({ task: z.string(), index: z.number().int(), channel: z.string(), value: valueForm }),
  ),
});

const threadForm = z.strictObject({
  thread: z.string(),
  checkpoints: z.array(checkpointForm),
  signature: z.string(),
});

export type KeptValue = z.infer<typeof valueForm>;
export type KeptCheckpoint = z.infer<typeof checkpointForm>;
export type KeptWrite = KeptCheckpoint['writes'][number];

/** In the order in which they were written. */
export interface KeptThread {
  readonly thread: string;
  readonly checkpoints: readonly KeptCheckpoint[];
}

const signed = ({ thread, checkpoints }: KeptThread): string =>
  `ledger-checkpoints\n${canonicalJson({ thread, checkpoints: [...checkpoints] })}`;

export function writeThread(kept: KeptThread, signingKey: string): string {
  const { thread, checkpoints } = kept;
  const signature = signText(signingKey, signed(kept));
  return `${canonicalJson({ thread, checkpoints: [...checkpoints], signature })}\n`;
}

export function readThread(text: string, path: string, signingKey: string): KeptThread {
  const { signature, ...kept } = readFile(threadForm, text, path);
  if (checkpointFile(kept.thread) !== path) throw damaged(path, 'is about another run');
  if (!isSignatureValid(signingKey, signed(kept), signature))
    throw damaged(path, 'is not signed with our key');
  return kept;
}
