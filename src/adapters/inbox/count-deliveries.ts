/** How many deliveries wait in the inboxes of a database, and how many files were set aside. Reads headers only. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { DeliveryCount } from '../../ports/inbox.ts';
import { inboxesOf } from './inbox-folder.ts';
import { readHeader } from './inbox-records.ts';

/** More than a screen has to tell apart. */
const mostCounted = 1_000;
const headerBytes = 300;

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No inbox, or none that this person may read: `doctor` says which.
    return [];
  }
}

/** The ids of the deliveries in a file, as far as it can be followed. */
function* listDeliveries(path: string): Generator<string> {
  const buffer = Buffer.alloc(headerBytes);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    for (let at = 0; ; ) {
      const header = readHeader(buffer.subarray(0, readSync(file, buffer, 0, headerBytes, at)));
      if (header === null) return;
      yield header.delivery;
      at += header.bytes;
    }
  } finally {
    closeSync(file);
  }
}

/** @param isKnown whether the ledger has it: a file is removed only when all of it is there */
export function countDeliveries(databaseFile: string, isKnown: (delivery: string) => boolean): DeliveryCount {
  let [waiting, setAside] = [0, 0];
  const inboxes = inboxesOf(databaseFile);
  for (const inbox of listNames(inboxes))
    for (const name of listNames(join(inboxes, inbox))) {
      if (name.endsWith('.damaged')) setAside += 1;
      else
        for (const delivery of listDeliveries(join(inboxes, inbox, name))) {
          if (waiting >= mostCounted) break;
          if (!isKnown(delivery)) waiting += 1;
        }
    }
  return { waiting, setAside };
}
