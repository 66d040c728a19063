import { atom } from 'jotai/vanilla'
import type { AnyEndpoint } from '#contract/define.ts'
import type { Total } from '#kernel/entity.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { store } from '#portal/platform/store.ts'
import type { ListSource } from '#portal/list/definition.ts'

type Parameters = Readonly<Record<string, string>>

/** Milliseconds for which count and totals of a filter are cached. */
const keptFor = 60_000

/** Count and totals of the matching rows, fetched in parallel to the rows. */
export class Tally {
  /** Number of matching rows, and the sums of their amounts if the API adds them up; null until known. */
  readonly countAtom = atom<{ count: number; exact: boolean; totals?: Readonly<Record<string, number>> } | null>(null)
  /** Totals of all matching rows; empty until known. */
  readonly totalsAtom = atom<readonly Total[]>([])
  readonly #source: ListSource
  readonly #kept = new Map<string, { since: number; answer: Promise<unknown> }>()
  #asked = ''

  constructor(source: ListSource) {
    this.#source = source
  }

  /**
   * Fetches the count and the totals of these parameters; `reload` if rows may have changed. Results of other parameters are
   * dropped.
   */
  async ask(at: Parameters, query: Parameters, reload: boolean): Promise<void> {
    const { count, totals } = this.#source
    const asked = JSON.stringify([at, query])
    if (asked !== this.#asked) {
      store.set(this.countAtom, null)
      store.set(this.totalsAtom, [])
    }
    this.#asked = asked
    const fetchFrom = async (endpoint: AnyEndpoint) => {
      try {
        const answer = await this.#read(endpoint, at, query, reload)
        if (this.#asked !== asked) return
        if (endpoint === count) store.set(this.countAtom, answer as ReturnType<typeof this.countAtom.read>)
        if (endpoint === totals?.from) store.set(this.totalsAtom, totals.read(answer as never))
      } catch {
        // The list shows its own error; without a count the status bar shows only the row.
      }
    }
    // A call that ignores a filter would return a wrong count.
    const supports = store.get(capabilitiesAtom)
    const whole = (each: AnyEndpoint) => supports(each) && Object.keys(query).every((name) => supports(each, name))
    const offered = [...new Set([count, totals?.from])].filter((each) => each !== undefined && whole(each))
    await Promise.all(offered.map((endpoint) => fetchFrom(endpoint as AnyEndpoint)))
  }

  #read(endpoint: AnyEndpoint, at: Parameters, query: Parameters, reload: boolean): Promise<unknown> {
    const name = JSON.stringify([endpoint.path, at, query])
    const now = performance.now()
    for (const [old, { since }] of this.#kept) if (reload || now - since > keptFor) this.#kept.delete(old)
    const known = this.#kept.get(name)
    if (known) return known.answer
    const answer = apiClient.read(endpoint, at, query, { background: true })
    this.#kept.set(name, { since: now, answer })
    answer.catch(() => this.#kept.delete(name))
    return answer
  }
}
