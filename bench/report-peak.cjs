/**
 * Loaded into a measured process with --require: says on its last line how much memory it ever held. CommonJS on
 * purpose: a module would bring in Node's module loader, which some of the measured commands do without.
 */
'use strict';

const { readFileSync, writeSync } = require('node:fs');

/**
 * On Linux from /proc: what `resourceUsage` tells survives fork and exec there, so a small program started by a large
 * one would seem as large as its parent.
 */
function readPeak() {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kibibytes !== undefined) return kibibytes;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS;
}

process.on('exit', () => writeSync(2, `\npeak-rss-kib=${readPeak()}\n`));
