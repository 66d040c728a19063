import { fold } from '#kernel/fold.ts'
import type { ListColumn } from '#portal/list/definition.ts'

/** The names, folded, by which people ask for the value of a column: its title and the parts of it, its id, order and aliases. */
export function columnNames({ id, title, aliases = [], ...column }: ListColumn & { sort?: string }): string[] {
  const ofOrder = column.sort?.replaceAll('_', ' ') ?? []
  return [title, ...title.split(', '), id, ...aliases, ofOrder].flat().map(fold)
}

/** The column with a name, folded: one with that title comes before one that is also called so. */
export const columnNamed = <C extends ListColumn>(columns: readonly C[], name: string): C | undefined =>
  columns.find(({ title }) => fold(title) === name) ?? columns.find((column) => columnNames(column).includes(name))
