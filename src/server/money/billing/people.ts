import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** People for whom one transaction works: it holds their rows for about a second, however many an employer has. */
const peopleAtOnce = 2_000

/** Where work on the people of employers goes on: at those of `employer` whose ids follow `after`. */
export interface Place {
  employer: number
  after: number
  /** Version of the record that the work follows from: after a change it starts again. */
  version?: number
}

/** Before everybody. */
export const beginning: Place = { employer: 0, after: 0 }

/** Consecutive people of an employer. */
interface People {
  organization_id: number
  /** The last one by id. */
  last: number
  /** Whether others may follow. */
  more: boolean
}

/** The next people of an employer by id: those after `after`, up to `last`. */
export async function nextPeople(tx: Tx, employerId: number, after: number): Promise<People> {
  const { rows } = await sql<{ organization_id: number; last: number | null; count: number }>`
    select (select organization_id from employers where id = ${employerId}) as organization_id, max(id) as last, count(*)::int as count from (
      select id from employees where employer_id = ${employerId} and id > ${after} order by id limit ${peopleAtOnce}) people`.execute(
    tx,
  )
  const { organization_id, last, count } = rows[0] as (typeof rows)[number]
  return { organization_id, last: last ?? after, more: count === peopleAtOnce }
}
