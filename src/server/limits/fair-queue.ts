/** Where a call comes from. Within a line, blocks of networks take turns, and within a block its networks (round robin). */
export interface Place {
  line: string
  block: string
  network: string
}

interface Waiter<P> {
  place: P
  start: () => void
}

/** Calls that wait for a shared resource, in this process. */
export class FairQueue<P extends Place> {
  readonly #mayStart: (place: P, served: readonly P[]) => boolean
  readonly #lines: readonly P['line'][]
  readonly #served: P[] = []
  #waiting: Waiter<P>[] = []

  /** `lines` are in order of priority; `mayStart` decides by the calls that are being served. */
  constructor(lines: readonly P['line'][], mayStart: (place: P, served: readonly P[]) => boolean) {
    this.#lines = lines
    this.#mayStart = mayStart
  }

  /** The calls being served. */
  get served(): readonly P[] {
    return this.#served
  }

  /** The places of the waiting calls. */
  get waiting(): readonly P[] {
    return this.#waiting.map(({ place }) => place)
  }

  /** Whether a call from there need not wait. */
  isFreeFor(place: P): boolean {
    return this.#mayStart(place, this.#served)
  }

  /** Waits for a turn; returns the function that ends it, or null once `gone` is aborted: then the call leaves the queue at once. */
  async enter(place: P, gone?: AbortSignal): Promise<(() => void) | null> {
    if (gone?.aborted) return null
    if (this.isFreeFor(place)) this.#start(place)
    else if (!(await this.#turnOf(place, gone))) return null
    return () => this.#end(place)
  }

  #turnOf(place: P, gone: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((each) => each !== waiter)
        resolve(false)
      }
      const start = () => {
        gone?.removeEventListener('abort', leave)
        resolve(true)
      }
      const waiter = { place, start }
      gone?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiter)
    })
  }

  #start(place: P): void {
    this.#served.push(place)
    this.#rotate(place)
  }

  #end(place: P): void {
    this.#served.splice(this.#served.indexOf(place), 1)
    this.#rotate(place)
    const ready = this.#waiting.filter((waiter) => this.isFreeFor(waiter.place))
    const next = this.#lines.flatMap((line) => ready.find((waiter) => waiter.place.line === line) ?? [])[0]
    if (!next) return
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#start(next.place)
    next.start()
  }

  /** Moves the other calls of a block to the end of its line, and those of the same network to the end of the block. */
  #rotate({ line, block, network }: P): void {
    const rank = ({ place }: Waiter<P>) => (place.line !== line || place.block !== block ? 0 : place.network !== network ? 1 : 2)
    this.#waiting.sort((one, other) => rank(one) - rank(other))
  }
}
