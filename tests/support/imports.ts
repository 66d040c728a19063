import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import type { Database } from '#server/tables/database.ts'
import type { asking } from '#tests/support/asking.ts'
import type { TestServer } from '#tests/support/server.ts'

/**
 * Gives an organization a configuration, without which no file of its employers is mapped. Amounts are cents and basis points.
 */
export const configureOrganization = (
  db: Kysely<Database>,
  organizationId: number,
  { daily_hours_limit = 24 }: { daily_hours_limit?: number } = {},
) =>
  sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max, daily_hours_limit)
    values (${organizationId}, 'PERCENTAGE', 5000, 300000, ${daily_hours_limit})`.execute(db)

type Who = Parameters<ReturnType<typeof asking>['send']>[3]

/** Uploads files like a person, and imports them like the worker. `employerId` is a function, called at each upload. */
export function importing(server: () => TestServer, { send, good }: ReturnType<typeof asking>, employerId: () => number) {
  const upload = (name: string, text: string | Buffer, owner: object = { employer_id: employerId() }, as?: Who) =>
    send('POST', '/imports', { ...owner, file: { name, content: Buffer.from(text).toString('base64') } }, as)
  /** Imports what is pending; returns one import from the API. */
  const finished = async (id: number) => {
    await importFiles(server().services, () => false)
    return good('GET', `/imports/${id}`)
  }
  return {
    upload,
    finished,
    imported: async (name: string, text: string | Buffer, owner?: object) => {
      const { status, body } = await upload(name, text, owner)
      expect(status, JSON.stringify(body)).toBe(201)
      return finished(body.id)
    },
    /** The rejected lines of an import: line, column and reason of each. */
    faults: async (id: number): Promise<[line: number, column: string | null, message: string][]> =>
      (await good('GET', `/imports/${id}/rejected-lines`)).rejected_lines.map(
        ({ line, column, message }: { line: number; column: string | null; message: string }) => [line, column, message],
      ),
  }
}
