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

/** The next people of an employer by id: those after `after`, up to `last`; `more` if others may follow. */
export async function nextPeople(tx: Tx, employerId: number, after: number): Promise<{ last: number; more: boolean }> {
  const { rows } = await sql<{ last: number | null; count: number }>`
    select max(id) as last, count(*)::int as count from (
      select id from employees where employer_id = ${employerId} and id > ${after} order by id limit ${peopleAtOnce}) people`.execute(
    tx,
  )
  return { last: rows[0]?.last ?? after, more: rows[0]?.count === peopleAtOnce }
}
