/** How a state is drawn: each mark has a shape of its own, so that it reads without colour. */
export type Mark = 'good' | 'wait' | 'bad' | 'busy' | 'idle'

/** The states of one noun, in the order in which people read them, each with its word and mark. */
export interface States<State extends string = string> {
  readonly values: readonly State[]
  readonly labels: Readonly<Record<State, string>>
  /** The word a person reads for a state; one that nobody knows is shown as it came (STA-019), one that is masked is null. */
  readonly label: (state: string | null) => string
  /** The mark drawn beside a state; an unknown one has the quiet mark (STA-019). */
  readonly mark: (state: string | null) => Mark
}

/** The type of the states themselves. */
export type StateOf<Of extends States> = Of['values'][number]

type Drawn<State extends string> = Readonly<Record<State, readonly [label: string, mark: Mark]>>

/** The states of a noun, from the word and mark of each. */
export function states<const State extends string>(drawn: Drawn<State>): States<State> {
  const known = new Map<string, readonly [label: string, mark: Mark]>(Object.entries(drawn))
  const values = [...known.keys()] as State[]
  return {
    values,
    labels: Object.fromEntries(values.map((state) => [state, drawn[state][0]])) as Record<State, string>,
    label: (state) => (state === null ? 'Restricted' : (known.get(state)?.[0] ?? state)),
    mark: (state) => (state === null ? undefined : known.get(state)?.[1]) ?? 'idle',
  }
}
