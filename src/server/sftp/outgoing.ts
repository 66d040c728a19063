import { sql } from 'kysely'
import { ewaFile } from '#server/documents/ewa-file.ts'
import type { Services } from '#server/http/route.ts'
import type { SftpPerson } from '#server/sftp/sign-in.ts'
import { oneDeduction } from '#server/tables/deductions.ts'
import { isRow } from '#server/tables/rows.ts'

/** An EWA file that can be downloaded. */
export interface OutgoingFile {
  id: number
  name: string
  /** Delivery time. */
  at: Date
}

/** Maximum number of files in the folder `out`: the latest. */
const maxListed = 500
/** Days that a file stays in it. */
const daysListed = 90

/** EWA files delivered to the employers of an organization, latest first, without duplicate names. */
export async function outgoingFiles({ db }: Services, { organization_id }: SftpPerson): Promise<OutgoingFile[]> {
  const { rows } = await sql<OutgoingFile>`
    select d.id, d.file_name || case when key.organization_id is null then '' else '.pgp' end as name, d.delivered_at as at
    from deductions d join invoices i on i.id = d.invoice_id and i.organization_id = d.organization_id
    join employers e on e.id = i.employer_id
    left join encryption_keys key on key.organization_id = e.organization_id
    where d.organization_id = ${organization_id} and d.file_name is not null and d.sent
      and d.delivered_at > now() - make_interval(days => ${daysListed})
    order by d.delivered_at desc, d.id desc limit ${maxListed}`.execute(db)
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const count = (seen.get(row.name) ?? 0) + 1
    seen.set(row.name, count)
    return count === 1 ? row : { ...row, name: row.name.replace(/(\.\w+)?$/, `-${row.id}$1`) }
  })
}

/**
 * The content of an EWA file, encrypted if the organization has a key; with `look` only its size is needed, which does not count
 * as a download.
 */
export async function outgoingFile(
  { db }: Services,
  { username }: SftpPerson,
  id: number,
  { look = false } = {},
): Promise<Buffer> {
  return db.transaction().execute(async (tx) => {
    const deduction = await oneDeduction(tx, null, id)
    if (!deduction) throw new Error(`The deduction ${id} is gone.`)
    const { content } = await ewaFile(tx, deduction, new Date())
    if (!look)
      await sql`update deductions set fetched_at = now(), fetched_by = ${username}
        where ${isRow('deductions', deduction)} and fetched_at is null`.execute(tx)
    return Buffer.from(content)
  })
}
