import type { PeopleTables } from '#server/tables/people.ts'

/** The tables of the database, by name; each noun's module declares its own. */
export interface Database extends PeopleTables {}
