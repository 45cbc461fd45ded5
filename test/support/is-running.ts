/** Whether a process is alive. One that is dead but not yet collected by its parent still has a number, and is not. */
import { readFileSync } from 'node:fs';

export function isRunning(id: number): boolean {
  try {
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
}
