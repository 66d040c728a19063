import type { AnyEntity } from '#kernel/entity.ts'
import { factIn, type ParsedQuery } from '#kernel/sentence/reading.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { factNamed, factNames } from '#kernel/sentence/fact-names.ts'
import { isMasked, maskedText } from '#portal/format/cell-text.ts'
import type { ListColumn } from '#portal/list/definition.ts'
import { panes } from '#portal/list/panes.ts'
import type { Group, RecordRow, Row } from '#portal/palette/row.ts'

const noColumns: readonly ListColumn[] = []

/** The columns of a noun's list; none until it is loaded. */
const columnsOf = ({ name }: AnyEntity): readonly ListColumn[] =>
  panes().find(({ entity }) => entity.name === name)?.columns ?? noColumns

const known = new WeakMap<readonly ListColumn[], ReadonlySet<string>>()

/** The names of the values that a record of a noun has, computed once per list. */
export function factsOf(entity: AnyEntity): ReadonlySet<string> {
  const columns = columnsOf(entity)
  const names = known.get(columns) ?? new Set(columns.flatMap(factNames))
  known.set(columns, names)
  return names
}

/** A record with the value that was asked for, as in the column of its list; a company's name finds no records of it here. */
function answered(row: RecordRow, name: string, held: CommandContext['held']): RecordRow[] {
  if (row.through) return []
  const column = factNamed(columnsOf(row.entity), name)
  if (!column || row.record === undefined) return [row]
  const answer = `${column.title}: ${isMasked(column, held) ? maskedText : column.text(row.record)}`
  return [{ ...row, answer, note: [answer, row.note].filter(Boolean).join(' · ') }]
}

/** Groups of records with the value that the text asks for. */
export function withAnswers(groups: readonly Group[], typed: ParsedQuery, held: CommandContext['held']): readonly Group[] {
  const name = factIn(typed)
  if (name === null) return groups
  const rowsOf = (row: Row): Row[] => (row.kind === 'record' ? answered(row, name, held) : [row])
  return groups.map((group) => ({ ...group, rows: group.rows.flatMap(rowsOf) }))
}
