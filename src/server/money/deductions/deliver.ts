import { sql } from 'kysely'
import { afterDelivery } from '#domain/deduction.ts'
import { formatCents } from '#domain/money.ts'
import { deductionFile, deductionTable, validateFile } from '#server/documents/deduction-file.ts'
import { encryptedName, goodKeyOf } from '#server/documents/ewa-file.ts'
import { written } from '#server/documents/invoice-document.ts'
import { Refused } from '#server/http-error.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { mailAbout } from '#server/tables/communications.ts'
import { effectiveRow } from '#server/tables/configurations.ts'
import type { Tx } from '#server/tables/database.ts'
import { isRow } from '#server/tables/rows.ts'
import {
  type DeductionRow,
  deductionSnapshot,
  storeDelivered,
  type LockedDeduction,
  oneDeduction,
  saveDeduction,
} from '#server/tables/deductions.ts'
import { selectAll } from '#server/postgres/select.ts'
import { type Mover, service } from '#server/tables/ledger.ts'
import { type Candidate, isIn, type Share, shareOf } from '#server/tables/shares.ts'

/** Delivery settings of an employer's files; without a configuration files are sent, except empty ones. */
interface FileTerms {
  should_send_ewa_file: boolean
  should_send_empty_ewa_file: boolean
  send_ewa_email: boolean
}

async function fileTermsOf(tx: Tx, { employer_id, organization_id }: DeductionRow): Promise<FileTerms> {
  const { rows } = await sql<FileTerms>`
    select coalesce(own.should_send_ewa_file, true) as should_send_ewa_file,
      coalesce(own.should_send_empty_ewa_file, false) as should_send_empty_ewa_file, coalesce(own.send_ewa_email, false) as send_ewa_email
    from (select) one left join ${effectiveRow('deduction_configurations', employer_id, organization_id)} own on true`.execute(tx)
  return rows[0] as FileTerms
}

/**
 * Recipients of mails about EWA files: the data e-mail addresses for eligible employees, those of the employer before those of
 * its organization.
 */
export async function ewaAddressesOf(tx: Tx, employerId: number, organizationId: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct email from data_emails where type = 'ELIGIBLE_EMPLOYEE' and (employer_id = ${employerId}
      or (organization_id = ${organizationId} and employer_id is null and not exists (
        select from data_emails own where own.type = 'ELIGIBLE_EMPLOYEE' and own.employer_id = ${employerId}))) order by 1`.execute(
    tx,
  )
  return rows.map(({ email }) => email)
}

/** Mails those addresses that a file is available. */
async function mailFile(tx: Tx, deduction: DeductionRow, name: string, now: Date): Promise<void> {
  const { employer_id, organization_id, employer_name } = deduction
  const requested = `${formatCents(deduction.amount)} of ${deduction.employees} ${deduction.employees === 1 ? 'employee' : 'employees'}`
  const { rows: users } = await sql`select from sftp_users where organization_id = ${organization_id} limit 1`.execute(tx)
  const where =
    users.length > 0
      ? 'It waits in the folder "out" of your SFTP access.'
      : 'Ask your account manager for it, or for an SFTP access.'
  const body = `The file ${name} asks ${employer_name} to withhold ${requested}, reported on ${written(deduction.report_date)}. ${where}`
  for (const recipient of await ewaAddressesOf(tx, employer_id, organization_id))
    await mailAbout(
      tx,
      { organization_id, employer_id, kind: 'EWA_FILE_READY', recipient, subject: `EWA file of ${employer_name}`, body },
      now,
    )
}

/**
 * Delivers the file of a locked deduction in its current state, and sends it to the employer if configured. Throws 409 if
 * an employee is unidentified, or the encryption key has expired. Writes the history only for the service; for a person the
 * intent writes it.
 */
export async function deliverDeductionOf(tx: Tx, mover: Mover, deduction: LockedDeduction, now: Date): Promise<void> {
  const file = await deductionFile(tx, deduction)
  const refusal = validateFile(file)
  if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
  const terms = await fileTermsOf(tx, deduction)
  const sent = terms.should_send_ewa_file && (file.lines.length > 0 || terms.should_send_empty_ewa_file)
  // A file without employees needs no confirmation.
  const awaited = deduction.confirmation_flow !== 'NONE' && file.lines.length > 0
  // Throws if the key has expired: the file then waits for a new key.
  const key = sent ? await goodKeyOf(tx, deduction, now) : null
  const file_columns = file.columns && JSON.stringify(file.columns)
  await saveDeduction(tx, deduction, { status: afterDelivery(awaited), file_name: file.name, file_columns, sent }, now)
  await storeDelivered(tx, deduction, deductionTable(file))
  // The clock of the ledger, which decides from now on what belongs to the file.
  await sql`update deductions set delivered_at = clock_timestamp()
    where ${isRow('deductions', deduction)}`.execute(tx)
  if (sent && terms.send_ewa_email) await mailFile(tx, deduction, encryptedName(file.name, key), now)
  if (mover.id !== service.id) return
  const after = (await oneDeduction(tx, null, deduction)) as DeductionRow
  await recordEvent(tx, {
    actor: mover,
    intent: 'deduction.deliver',
    entity: 'deduction',
    entityId: String(after.id),
    status: 'Deduction delivered',
    text: 'Delivered at once.',
    before: deductionSnapshot(deduction),
    after: deductionSnapshot(after),
    version: after.version,
  })
}

/** Approved deductions of employers with automatic delivery. */
export function deductionsToDeliver(tx: Tx, share: Share): Promise<Candidate[]> {
  return selectAll<Candidate>(tx)`
    select d.id::text as key, ${shareOf('e.organization_id')} as share
    from deductions d join invoices i on i.id = d.invoice_id and i.organization_id = d.organization_id join employers e on e.id = i.employer_id
    cross join lateral ${effectiveRow('deduction_configurations', sql.ref('e.id'), sql.ref('e.organization_id'))} own
    where d.status = 'APPROVED' and own.real_time_deductions and ${isIn(share, 'e.organization_id')} order by d.id`
}
