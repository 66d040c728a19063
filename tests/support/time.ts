import type { Kysely } from 'kysely'
import type { TimeEntryStatus } from '#domain/time-entry.ts'
import { organizationOf } from '#tests/support/company.ts'
import { makePartition } from '#server/tables/partitions.ts'
import type { Database } from '#server/tables/database.ts'

interface TimeEntryInput {
  employeeId: number
  employerId: number
  /** `yyyy-MM-dd` */
  date: string
  minutes?: number
  /** Cents. */
  earned?: number
  status?: TimeEntryStatus
}

/** One time entry; returns its id. */
export async function createTimeEntry(db: Kysely<Database>, input: TimeEntryInput): Promise<number> {
  await makePartition(db as never, `time_entries ${input.date.slice(0, 7)}-01`)
  const decided = input.status === 'APPROVED' || input.status === 'REJECTED'
  const { id } = await db
    .insertInto('time_entries')
    .values({
      organization_id: organizationOf(input.employeeId),
      employee_id: input.employeeId,
      employer_id: input.employerId,
      work_date: input.date,
      minutes: input.minutes ?? 480,
      earned_amount: input.earned ?? 160_00,
      status: input.status ?? 'PENDING',
      decided_by: decided ? 'somebody' : null,
      decided_by_name: decided ? 'Somebody' : null,
      decided_at: decided ? new Date() : null,
      decision_reason: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
