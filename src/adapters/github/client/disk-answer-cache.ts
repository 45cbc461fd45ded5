/**
 * Answers of GitHub on disk, so that the next process need not load unchanged answers again. They may come from private
 * repositories, so every file is encrypted with a key made from the credential: a reader of the folder without the
 * token learns nothing, and an owner of the token could ask GitHub anyway. A file that is damaged or not ours is
 * ignored.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type AnswerCache, type CachedAnswer, type CacheLimits, usualLimits } from './answer-cache.ts';

const answerSchema = z.object({
  key: z.string(),
  etag: z.string(),
  contentType: z.string(),
  link: z.string(),
  body: z.string(),
});

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;
/** Answers that were not used for this long are removed. */
const longestAge = 14 * 24 * 60 * 60 * 1000;
/** Looking through the folder at every write would be slow. */
const writesBetweenPrunings = 50;

function dropFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A file that cannot be removed is not ours.
  }
}

export class DiskAnswerCache implements AnswerCache {
  readonly #folder: string;
  readonly #secret: Buffer;
  readonly #limits: CacheLimits;
  #writes = 0;

  constructor(folder: string, lock: string, limits: CacheLimits = usualLimits) {
    this.#folder = folder;
    this.#limits = limits;
    this.#secret = Buffer.from(hkdfSync('sha256', lock, '', 'gatewright answers of GitHub', 32));
  }

  /** Without the key, the file name cannot be guessed from an address. */
  #fileOf(key: string): string {
    return join(this.#folder, createHmac('sha256', this.#secret).update(key).digest('hex'));
  }

  get(key: string): CachedAnswer | null {
    const file = this.#fileOf(key);
    try {
      const sealed = readFileSync(file);
      const decipher = createDecipheriv(algorithm, this.#secret, sealed.subarray(0, nonceLength), {
        authTagLength: tagLength,
      });
      decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
      const text = Buffer.concat([
        decipher.update(sealed.subarray(nonceLength + tagLength)),
        decipher.final(),
      ]);
      const answer = answerSchema.parse(JSON.parse(text.toString('utf8')));
      if (answer.key !== key) return null;
      // The date of the file is that of its last use.
      utimesSync(file, new Date(), new Date());
      return answer;
    } catch {
      return null;
    }
  }

  set(key: string, answer: CachedAnswer): void {
    const file = this.#fileOf(key);
    const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
    try {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv(algorithm, this.#secret, nonce, { authTagLength: tagLength });
      const text = Buffer.concat([cipher.update(JSON.stringify({ key, ...answer }), 'utf8'), cipher.final()]);
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(draft, Buffer.concat([nonce, cipher.getAuthTag(), text]), { mode: 0o600, flag: 'wx' });
      renameSync(draft, file);
      if (this.#writes % writesBetweenPrunings === 0) this.#prune();
      this.#writes += 1;
    } catch {
      // The disk is full, or a file that is not ours is in the way.
      dropFile(draft);
    }
  }

  /** Drops what is old and what is too much, the longest unused first; drafts of killed processes grow old too. */
  #prune(): void {
    const oldest = Date.now() - longestAge;
    const files = readdirSync(this.#folder)
      .filter((name) => /^[0-9a-f]{64}(?:\.|$)/u.test(name))
      .flatMap((name) => {
        const path = join(this.#folder, name);
        const found = statSync(path, { throwIfNoEntry: false });
        return found === undefined ? [] : [{ path, size: found.size, usedAt: found.mtimeMs }];
      })
      .sort((a, b) => b.usedAt - a.usedAt);
    let bytes = 0;
    files.forEach(({ path, size, usedAt }, index) => {
      bytes += size;
      if (usedAt < oldest || index >= this.#limits.entries || bytes > this.#limits.bytes) dropFile(path);
    });
  }
}
