/** For tests that only store: what they make below the folder for temporary files lies in memory, if the machine has room. */
import { findQuickFolder } from './run-folder.ts';

process.env.TMPDIR = findQuickFolder();
