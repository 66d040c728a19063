/** Icon of a state; each has a shape of its own, so that it is readable without colour. */
export type Mark = 'good' | 'wait' | 'bad' | 'busy' | 'idle'

/** The states of a noun in display order, each with its label and mark. */
export interface States<State extends string = string> {
  readonly values: readonly State[]
  readonly labels: Readonly<Record<State, string>>
  /** Label of a state; an unknown one is shown as is (STA-019), a masked one is null. */
  readonly label: (state: string | null) => string
  /** Mark of a state; an unknown one has the idle mark (STA-019). */
  readonly mark: (state: string | null) => Mark
}

/** Union type of the states. */
export type StateOf<Of extends States> = Of['values'][number]

type Drawn<State extends string> = Readonly<Record<State, readonly [label: string, mark: Mark]>>

/** The states of a noun, from the label and mark of each. */
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
