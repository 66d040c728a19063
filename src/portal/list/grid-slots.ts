/** Which row each slot of the grid holds. A slot is an element that is used again and again, and never moved among the others. */
export class Slots {
  #held: (number | undefined)[] = []

  /** The rows that are drawn, in the order of their slots. */
  get drawn(): { slot: number; index: number }[] {
    return this.#held.flatMap((index, slot) => (index === undefined ? [] : [{ slot, index }]))
  }

  /** Forgets what the slots hold: the rows have other places now. */
  clear(): void {
    this.#held.fill(undefined)
  }

  /**
   * Puts rows into slots: all of `wanted`, which has no holes. After a jump of more than a screen only those from `first`
   * to `last`, which are on screen; the slots of the others keep what they held, out of sight. Answers whether some wait
   * for a call that is `calm`.
   */
  put(wanted: readonly number[], first: number, last: number, calm: boolean): boolean {
    if (wanted.length > this.#held.length) this.#held = new Array(wanted.length).fill(undefined)
    const size = this.#held.length
    const fresh = wanted.filter((index) => this.#held[index % size] !== index)
    const jumped = !calm && fresh.length > last - first + 2
    if (!jumped) this.clear()
    for (const index of jumped ? fresh : wanted) {
      if (!jumped || (index >= first && index <= last)) this.#held[index % size] = index
    }
    return jumped && fresh.some((index) => index < first || index > last)
  }
}
