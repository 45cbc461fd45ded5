/**
 * Ends the pause of a loop between its rounds. A signal that comes while the loop works ends its next pause at once.
 */
export class WakeSignal {
  #rung = Promise.withResolvers<void>();

  ring(): void {
    this.#rung.resolve();
  }

  /** From here on only later signals count. */
  reset(): void {
    this.#rung = Promise.withResolvers<void>();
  }

  heard(): Promise<void> {
    return this.#rung.promise;
  }
}
