/** Time and randomness, passed in so that tests can hold them still. */
export interface Clock {
  now(): Date;
  randomBytes(length: number): Uint8Array;
  sleep(milliseconds: number): Promise<void>;
}
