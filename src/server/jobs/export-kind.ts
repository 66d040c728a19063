import type { z } from 'zod'
import type { Need } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import type { CsvColumn } from '#server/documents/csv.ts'
import type { Position } from '#server/paging/keyset.ts'
import { invalid } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import type { Debtor } from '#server/tables/exports.ts'

/** A list that can be written to a file. */
export interface ExportKind<Row, Query> {
  /** The permission of reading the list, asked when the export is made, carried out and fetched. */
  needs: Need<never>
  columns: readonly CsvColumn<Row>[]
  /** Whom a row belongs to, null where it is one's own or open to admins alone: the file is given out only while all of them are open to the person. */
  whose: (row: Row) => Debtor | null
  /** True where rows tell what only some of those may know who may read the list: the file is given out while no right was lost. */
  masks?: true
  /** The filter and the order of a list's address; 422 for what the list itself would refuse. */
  parse: (filter: Readonly<Record<string, unknown>>) => Query
  /** Null where nobody counted exactly. */
  count: (tx: Tx, actor: Actor, query: Query) => Promise<number | null>
  /** All rows inside the person's access in the list's order, page by page. */
  pages: (tx: Tx, actor: Actor, query: Query) => AsyncIterable<Row[]>
}

/** Rows that are read at once. */
export const pageSize = 1_000
/** What a list's address carries besides its filter and order. */
const notFilter = ['limit', 'direction', 'lek', 'page', 'pageSize', 'page-size', 'from-id']

/** The filter and order of an address, by what the list itself takes; 422 for anything else. */
export function parsed<Query extends z.ZodObject>(schema: Query, filter: Readonly<Record<string, unknown>>): z.output<Query> {
  const given = Object.fromEntries(Object.entries(filter).filter(([name]) => !notFilter.includes(name)))
  const read = schema.strict().safeParse(given)
  if (read.success) return read.data as z.output<Query>
  throw invalid(
    read.error.issues.map((issue) => ({
      path: ['filter', ...issue.path.map(String)].join('.'),
      message: issue.code === 'unrecognized_keys' ? `The list has no filter ${issue.keys.join(', ')}.` : issue.message,
    })),
  )
}

/** Reads a list by its cursor until its end. */
export async function* scanned<Row>(page: (from: Position | null) => Promise<{ rows: Row[]; next: Position | null }>) {
  for (let from: Position | null = null; ; ) {
    const { rows, next } = await page(from)
    if (rows.length > 0) yield rows
    if (next === null) return
    from = next
  }
}
