import { type Kysely, sql } from 'kysely'
import type { AttachedFile } from '#contract/import-mail.ts'
import { isSystemFile, matchedName } from '#domain/arriving-file-name.ts'
import type { DataEmailType } from '#domain/data-email.ts'
import { type ImportKind, nothingToImport } from '#domain/import.ts'
import { fileKeyOf, lastingFileName } from '#domain/mapping-file-name.ts'
import { answerSender } from '#server/jobs/imports/answer-sender.ts'
import type { MailAttachment, ReadMail } from '#server/jobs/imports/mail.worker.ts'
import { readMailApart } from '#server/jobs/imports/read-mail.ts'
import { kindIn, FileRefused, receive } from '#server/jobs/imports/receive.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { insertImport, mappingsFor } from '#server/tables/imports.ts'
import { selectAll } from '#server/postgres/select.ts'

/** Maximum number of files imported from one mail. */
const maxFiles = 20

interface Sender {
  id: number
  organization_id: number
  employer_id: number | null
  type: DataEmailType
}

/** Confirmations come from the addresses that receive EWA files. */
const typeOf: Record<ImportKind, DataEmailType> = {
  EMPLOYEE: 'ELIGIBLE_EMPLOYEE',
  TIMEKEEPING: 'TIMEKEEPING',
  CONFIRMATION: 'ELIGIBLE_EMPLOYEE',
}

/** The companies that accept files from an address. */
async function sendersAt(tx: Tx, address: string): Promise<Sender[]> {
  return selectAll<Sender>(tx)`select id, organization_id, employer_id, type from data_emails
    where email = ${address} order by id`
}

/** The company of a file from an address: among those that accept such files from it, the one with a mapping for it. */
async function senderOf(tx: Tx, address: string, kind: ImportKind, name: string): Promise<Sender> {
  const senders = (await sendersAt(tx, address)).filter(({ type }) => type === typeOf[kind])
  const [only] = senders
  if (!only) throw new FileRefused('Nobody may send such files from this address.')
  if (senders.length === 1) return only
  const fitting: Sender[] = []
  for (const sender of senders)
    if ((await mappingsFor(tx, { ...sender, kind, file_key: fileKeyOf(matchedName(name)) })).length > 0) fitting.push(sender)
  const [one, ...others] = fitting
  // If both an organization and its employer have the address, the file belongs to the employer.
  const own = fitting.find(({ employer_id }) => employer_id !== null)
  if (one && others.every(({ organization_id }) => organization_id === one.organization_id)) return own ?? one
  throw new FileRefused('Several companies take files from this address, and not one alone has a mapping for this name.')
}

/** Exactly one address, alone or after a display name: a verifier could take anything more for another sender. */
const oneAddress = /^(?:[^<>@,;:]*<([^<>@\s]+@[^<>@\s]+)>|([^<>@\s,;:]+@[^<>@\s,;:]+))$/

/** The sender of a mail. Throws `FileRefused` if there is none, or more than one. */
function senderIn([from, ...others]: readonly string[]): string {
  if (from === undefined) throw new FileRefused('The mail does not say who it is from.')
  const bare = from.replace(/"(?:\\.|[^"\\])*"|\([^()]*\)/g, '').trim()
  const [, bracketedAddress, bareAddress] = oneAddress.exec(bare) ?? []
  const address = bracketedAddress ?? bareAddress
  if (others.length > 0 || !address) throw new FileRefused('The e-mail does not have exactly one sender.')
  return address.toLowerCase()
}

/** MIME types of the files that are imported, with the extension for a file without a name. */
const endings: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}
const isFile = ({ name, type }: MailAttachment): boolean =>
  !isSystemFile(name) && (/\.(csv|xlsx)$/i.test(name) || (name === '' && type in endings))

/**
 * The name for an attachment without one: that of the only mapping whose files may come from the address. Throws `FileRefused` if
 * there is none, or several.
 */
async function nameOfUnnamed(tx: Tx, address: string, type: string): Promise<string> {
  const { rows } = await sql<{ file_name: string }>`
    select m.file_name from mappings m join employers employer on employer.id = m.employer_id
    where m.kind <> 'DEDUCTION' and exists (select from data_emails e where e.email = ${address}
      and e.organization_id = employer.organization_id and (e.employer_id is null or e.employer_id = employer.id)
      and e.type = case m.kind when 'TIMEKEEPING' then 'TIMEKEEPING' else 'ELIGIBLE_EMPLOYEE' end) limit 2`.execute(tx)
  const [only, ...others] = rows
  if (!only || others.length > 0)
    throw new FileRefused('The attached file has no name. Attach it under its name, such as acme_ee.csv.')
  return lastingFileName(only.file_name).replace(/\.[^.]*$/, `.${endings[type]}`)
}

/** Parts of a mail that are never data files: pictures, signatures, contact cards and invitations. */
const isDecoration = ({ name, type }: MailAttachment): boolean =>
  type.startsWith('image/') ||
  ['text/calendar', 'text/vcard', 'application/pkcs7-signature', 'application/pgp-signature'].includes(type) ||
  /\.(?:png|jpe?g|gif|svg|ics|vcf|p7s|asc)$/i.test(name) ||
  isSystemFile(name)

/** What a mail contains in place of a file, as text; `name` is that of an attachment that is not a data file. */
function whyNothing(attachments: readonly MailAttachment[]): { name: string | null; why: string } {
  const others = attachments.filter((one) => !isDecoration(one))
  const named = others.find(({ name }) => name !== '')?.name ?? null
  const has = (type: RegExp, name: RegExp) => others.some((one) => type.test(one.type) || name.test(one.name))
  if (has(/ms-tnef/, /^winmail\.dat$/i))
    return {
      name: named,
      why: 'Outlook packed the attachments into “winmail.dat”, which is not read. Send the mail as plain text or HTML, not as rich text.',
    }
  if (has(/^message\/rfc822/, /\.(?:eml|msg)$/i))
    return { name: named, why: 'The mail forwards another mail. Attach the file itself to a new mail.' }
  if (has(/zip|x-7z|x-rar|x-tar|gzip/, /\.(?:zip|7z|rar|tar|gz|tgz)$/i))
    return { name: named, why: 'Files in archives are not read. Attach the .csv or .xlsx file itself.' }
  if (named) return { name: named, why: `“${named}” is no .csv or .xlsx file.` }
  return { name: null, why: 'No .csv or .xlsx file is attached. A link to a file is not followed.' }
}

/** A mail with content that was not imported: why, and the name to show for it. */
interface NotImported {
  name: string | null
  message: string
}

/**
 * Records, for each organization that accepts files from the address, that part of a mail was not imported, and answers the
 * sender once. If several organizations accept files from the address, none sees a file name, which may belong to another.
 * Returns the id of the first record; null for an unknown address.
 */
async function recordNotImported(
  tx: Tx,
  { address, mail, now, ...reason }: NotImported & { address: string; mail: ReadMail; now: Date },
): Promise<number | null> {
  const senders = await sendersAt(tx, address)
  const ofOrganization = Map.groupBy(senders, ({ organization_id }) => organization_id)
  const shared = ofOrganization.size > 1
  let first: number | null = null
  for (const [organization_id, own] of ofOrganization) {
    const [one, ...others] = own as [Sender, ...Sender[]]
    const sameEmployer = others.every(({ employer_id }) => employer_id === one.employer_id)
    const id = await insertImport(
      tx,
      {
        organization_id,
        employer_id: sameEmployer ? one.employer_id : null,
        kind: one.type === 'TIMEKEEPING' ? 'TIMEKEEPING' : 'EMPLOYEE',
        source: 'EMAIL',
        file_name: ((shared ? null : reason.name) ?? 'Mail without a file').slice(0, 250),
        // No file has this key, so that only a person can settle the record.
        file_key: '',
        size: 0,
        hash: '',
        status: 'FAIL',
        message: shared ? nothingToImport('Several companies take files from this address.') : reason.message,
        received_by: `data-email:${one.id}`,
        received_by_name: address,
        answer_to: first === null && !mail.wantsNoAnswer ? address : null,
      },
      now,
    )
    await answerSender(tx, id, now)
    first ??= id
  }
  return first
}

/** The result of a mail: each of its files, and the import that records what was not imported. */
export interface ReceivedMail {
  files: AttachedFile[]
  record_id: number | null
}

/**
 * Receives the files attached to a mail, each in a transaction of its own; the sender is the address in its From header. Content
 * of a known sender that is not imported is recorded as one failed import, and answered. Throws the errors of `readMailApart`,
 * and `FileRefused` without a single sender.
 */
export async function receiveMail(
  db: Kysely<Database>,
  message: Uint8Array,
  now: Date,
  gone?: AbortSignal,
): Promise<ReceivedMail> {
  const mail = await readMailApart(message, gone)
  const from = senderIn(mail.from)
  const files: AttachedFile[] = []
  for (const attachment of mail.attachments.filter(isFile)) {
    const { bytes, type } = attachment
    let { name } = attachment
    try {
      if (files.length >= maxFiles) throw new FileRefused(`Of one mail ${maxFiles} files are taken at most.`)
      const id = await db.transaction().execute(async (tx) => {
        if (name === '') name = await nameOfUnnamed(tx, from, type)
        const { id: address, organization_id, employer_id } = await senderOf(tx, from, kindIn(name), name)
        const by = { id: `data-email:${address}`, name: from }
        const answer_to = mail.wantsNoAnswer ? null : from
        const content = () => [bytes]
        const file = { organization_id, employer_id, source: 'EMAIL' as const, file_name: name, by, answer_to, content }
        return receive(tx, file, now)
      })
      files.push({ file_name: name, import_id: id, message: null })
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
      files.push({ file_name: name, import_id: null, message: error.message })
    }
  }
  const notImported = notImportedOf(mail, files)
  if (notImported === null) return { files, record_id: null }
  const record_id = await db.transaction().execute((tx) => recordNotImported(tx, { ...notImported, address: from, mail, now }))
  return { files, record_id }
}

/** The reason to record a mail: refused files, or no files. An automatic reply without a file is not recorded. */
function notImportedOf(mail: ReadMail, files: readonly AttachedFile[]): NotImported | null {
  const [first, ...others] = files.filter(({ import_id }) => import_id === null)
  if (first) {
    const more =
      others.length === 0
        ? ''
        : ` ${others.length === 1 ? '1 more file was' : `${others.length} more files were`} not taken either.`
    return { name: first.file_name || null, message: nothingToImport(`${first.message}${more}`) }
  }
  if (files.length > 0 || mail.isAutoReply) return null
  const { name, why } = whyNothing(mail.attachments)
  return { name, message: nothingToImport(why) }
}
