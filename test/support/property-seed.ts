/**
 * Property tests draw the same cases on every run, so that a run that passed passes again. To look further, draw others:
 * GATEWRIGHT_TEST_SEED=random, or a number that a failure has named.
 */
import fc from 'fast-check';

const wanted = process.env.GATEWRIGHT_TEST_SEED ?? '20261115';
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
