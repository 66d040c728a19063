import type { Transaction } from 'kysely'

/** The tables of the database, by name; each noun's module adds its own (`declare module`), so that none is listed twice. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the modules of the tables
export interface Database {}

/** The one handle that SQL functions take. */
export type Tx = Transaction<Database>
