/** Assigns rows to the slots of the grid. A slot is an element that is reused, and never moved in the DOM. */
export class Slots {
  #held: (number | undefined)[] = []

  /** The rendered rows, in the order of their slots. */
  get drawn(): { slot: number; index: number }[] {
    return this.#held.flatMap((index, slot) => (index === undefined ? [] : [{ slot, index }]))
  }

  /** Clears the slots, when the rows have new places. */
  clear(): void {
    this.#held.fill(undefined)
  }

  /**
   * Assigns rows to slots: all of `wanted`, which is contiguous. After a jump of more than a screen only the visible ones, from
   * `first` to `last`; the other slots keep their rows, out of view. Returns whether some rows wait for a call with `calm`.
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
