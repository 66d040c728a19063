import type { z } from 'zod'
import type { Need } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import type { CsvColumn } from '#server/documents/csv.ts'
import type { Position } from '#server/paging/keyset.ts'
import { invalid } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import type { Debtor } from '#server/tables/exports.ts'

/** A list that can be exported to a file. */
export interface ExportKind<Row, Query> {
  /** The permission to read the list, checked when the export is created, written and downloaded. */
  needs: Need<never>
  columns: readonly CsvColumn<Row>[]
  /**
   * The owner of a row, null if the row is the person's own or for admins only: the file can be downloaded only while all owners
   * are open to the person.
   */
  whose: (row: Row) => Debtor | null
  /** True if rows contain data that depends on further permissions: the file can be downloaded while the person has lost none. */
  masks?: true
  /** Parses filter and order from the URL of a list; 422 for values that the list itself would refuse. */
  parse: (filter: Readonly<Record<string, unknown>>) => Query
  /** Null without an exact count. */
  count: (tx: Tx, actor: Actor, query: Query) => Promise<number | null>
  /** All rows inside the person's access in the list's order, page by page. */
  pages: (tx: Tx, actor: Actor, query: Query) => AsyncIterable<Row[]>
}

/** Rows read at once. */
export const pageSize = 1_000
/** Parameters of a list's URL other than filter and order. */
const notFilter = ['limit', 'direction', 'lek', 'page', 'pageSize', 'page-size', 'from-id']

/** Parses filter and order of a URL with the schema of the list; 422 for anything else. */
export function parseFilter<Query extends z.ZodObject>(
  schema: Query,
  filter: Readonly<Record<string, unknown>>,
): z.output<Query> {
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

/** Reads a list by cursor to its end. */
export async function* scanAll<Row>(page: (from: Position | null) => Promise<{ rows: Row[]; next: Position | null }>) {
  for (let from: Position | null = null; ; ) {
    const { rows, next } = await page(from)
    if (rows.length > 0) yield rows
    if (next === null) return
    from = next
  }
}
