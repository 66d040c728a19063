import type { Generated, Transaction } from 'kysely'

/** The tables of the database, by name; each table's module adds its own (`declare module`), so that none is listed twice. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the modules of the tables
export interface Database {}

/** The columns of every record that is changed. */
export interface Stamped {
  id: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  version: Generated<number>
}

/** The transaction handle that SQL functions take. */
export type Tx = Transaction<Database>
