import { sql } from 'kysely'
import { afterDelivery } from '#domain/deduction.ts'
import { formatCents } from '#domain/money.ts'
import { deductionFile, deductionTable, validateFile } from '#server/documents/deduction-file.ts'
import { encryptedName, goodKeyOf } from '#server/documents/ewa-file.ts'
import { written } from '#server/documents/invoice-document.ts'
import { Refused } from '#server/http-error.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { mailAbout } from '#server/tables/communications.ts'
import { holding } from '#server/tables/configurations.ts'
import type { Tx } from '#server/tables/database.ts'
import {
  type DeductionRow,
  deductionSnapshot,
  keepDelivered,
  type LockedDeduction,
  oneDeduction,
  saveDeduction,
} from '#server/tables/deductions.ts'
import { type Mover, service } from '#server/tables/ledger.ts'

/** What the deduction configuration says of an employer's files; without one they are sent, but no empty ones. */
interface FileTerms {
  should_send_ewa_file: boolean
  should_send_empty_ewa_file: boolean
  send_ewa_email: boolean
}

async function fileTermsOf(tx: Tx, { employer_id, organization_id }: DeductionRow): Promise<FileTerms> {
  const { rows } = await sql<FileTerms>`
    select coalesce(own.should_send_ewa_file, true) as should_send_ewa_file,
      coalesce(own.should_send_empty_ewa_file, false) as should_send_empty_ewa_file, coalesce(own.send_ewa_email, false) as send_ewa_email
    from (select) one left join ${holding('deduction_configurations', employer_id, organization_id)} own on true`.execute(tx)
  return rows[0] as FileTerms
}

/**
 * The addresses that mails about EWA files go to: those that the data of eligible employees comes from, the employer's before those
 * of its organization (D454).
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

/** Tells those addresses that a file is there. */
async function mailFile(tx: Tx, deduction: DeductionRow, name: string, now: Date): Promise<void> {
  const { employer_id, organization_id, employer_name } = deduction
  const asked = `${formatCents(deduction.amount)} of ${deduction.employees} ${deduction.employees === 1 ? 'employee' : 'employees'}`
  const { rows: users } = await sql`select from sftp_users where organization_id = ${organization_id} limit 1`.execute(tx)
  const where =
    users.length > 0
      ? 'It waits in the folder "out" of your SFTP access.'
      : 'Ask your account manager for it, or for an SFTP access.'
  const body = `The file ${name} asks ${employer_name} to withhold ${asked}, reported on ${written(deduction.report_date)}. ${where}`
  for (const recipient of await ewaAddressesOf(tx, employer_id, organization_id))
    await mailAbout(
      tx,
      { organization_id, employer_id, kind: 'EWA_FILE_READY', recipient, subject: `EWA file of ${employer_name}`, body },
      now,
    )
}

/**
 * Delivers the file of a locked deduction as it is now, and gives it to the employer where its configuration says so (D454). Throws 409
 * where it leaves somebody unnamed, or the key that it is encrypted to has expired. Writes the history for the service alone; a
 * person's is written with the intent.
 */
export async function deliverDeductionOf(tx: Tx, mover: Mover, deduction: LockedDeduction, now: Date): Promise<void> {
  const file = await deductionFile(tx, deduction)
  const refusal = validateFile(file)
  if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
  const terms = await fileTermsOf(tx, deduction)
  const sent = terms.should_send_ewa_file && (file.lines.length > 0 || terms.should_send_empty_ewa_file)
  // Of a file without employees there is nothing to confirm.
  const awaited = deduction.confirmation_flow !== 'NONE' && file.lines.length > 0
  // A file that nobody can be given waits until a key is set.
  const key = sent ? await goodKeyOf(tx, deduction, now) : null
  const file_columns = file.columns && JSON.stringify(file.columns)
  await saveDeduction(tx, deduction.id, { status: afterDelivery(awaited), file_name: file.name, file_columns, sent }, now)
  await keepDelivered(tx, deduction.id, deductionTable(file))
  // The clock of the ledger, which decides from now on what belongs to the file.
  await sql`update deductions set delivered_at = clock_timestamp() where id = ${deduction.id}`.execute(tx)
  if (sent && terms.send_ewa_email) await mailFile(tx, deduction, encryptedName(file.name, key), now)
  if (mover.id !== service.id) return
  const after = (await oneDeduction(tx, null, deduction.id)) as DeductionRow
  await recordEvent(tx, {
    actor: mover,
    intent: 'deduction.deliver',
    command: null,
    entity: 'deduction',
    entityId: String(after.id),
    status: 'Deduction delivered',
    text: 'Delivered at once.',
    before: deductionSnapshot(deduction),
    after: deductionSnapshot(after),
    version: after.version,
    idempotencyKey: null,
  })
}

/** Approved deductions of employers whose files are delivered at once. */
export async function deductionsToDeliver(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select d.id::text as key from deductions d join invoices i on i.id = d.invoice_id join employers e on e.id = i.employer_id
    cross join lateral ${holding('deduction_configurations', sql.ref('e.id'), sql.ref('e.organization_id'))} own
    where d.status = 'APPROVED' and own.real_time_deductions order by d.id`.execute(tx)
  return rows.map(({ key }) => key)
}
