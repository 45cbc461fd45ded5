/** Wakes a loop that sleeps between its rounds. Rung while nobody sleeps, it is heard before the next sleep. */
export class WakeSignal {
  #rung = Promise.withResolvers<void>();

  ring(): void {
    this.#rung.resolve();
  }

  /** From here on only what rings later is heard. */
  reset(): void {
    this.#rung = Promise.withResolvers<void>();
  }

  heard(): Promise<void> {
    return this.#rung.promise;
  }
}
