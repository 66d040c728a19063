import { fold } from '#kernel/fold.ts'

/** A value that all records of a noun have: a column of its list. */
export interface Fact {
  readonly id: string
  readonly title: string
  /** What people also call it: `balance`. */
  readonly aliases?: readonly string[]
  /** The name of the order by it, `hire_date`. */
  readonly sort?: string
}

/** The names, folded, by which people ask for a value: its title and the parts of it, its id, order and aliases. */
export function factNames({ id, title, aliases = [], sort }: Fact): string[] {
  return [title, ...title.split(', '), id, ...aliases, sort?.replaceAll('_', ' ') ?? []].flat().map(fold)
}

/** The value with a name, folded: one with that title comes before one that is also called so. */
export const factNamed = <F extends Fact>(facts: readonly F[], name: string): F | undefined =>
  facts.find(({ title }) => fold(title) === name) ?? facts.find((fact) => factNames(fact).includes(name))
