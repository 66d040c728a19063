import { type Kysely, sql } from 'kysely'
import type { AttachedFile } from '#contract/import-mail.ts'
import type { DataEmailType } from '#domain/data-email.ts'
import { matchedName } from '#domain/arriving-file-name.ts'
import type { ImportKind } from '#domain/import.ts'
import { fileKeyOf } from '#domain/mapping-file-name.ts'
import { readMailApart } from '#server/jobs/imports/read-mail.ts'
import { kindIn, NotTaken, receive } from '#server/jobs/imports/receive.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { mappingsFor } from '#server/tables/imports.ts'

/** Files of one mail that are taken. */
const mostFiles = 20

interface Sender {
  id: number
  organization_id: number
  employer_id: number | null
}

/** Confirmations come from whom the EWA files are mailed to (D454). */
const typeOf: Record<ImportKind, DataEmailType> = {
  EMPLOYEE: 'ELIGIBLE_EMPLOYEE',
  TIMEKEEPING: 'TIMEKEEPING',
  CONFIRMATION: 'ELIGIBLE_EMPLOYEE',
}

/** Whose file it is that came from an address: of the companies that take such files from there, the one that has a mapping for it. */
async function senderOf(tx: Tx, address: string, kind: ImportKind, name: string): Promise<Sender> {
  const { rows } = await sql<Sender>`select id, organization_id, employer_id from data_emails
    where email = ${address} and type = ${typeOf[kind]} order by id`.execute(tx)
  const [only] = rows
  if (!only) throw new NotTaken('Nobody may send such files from this address.')
  if (rows.length === 1) return only
  const fitting: Sender[] = []
  for (const sender of rows)
    if ((await mappingsFor(tx, { ...sender, kind, file_key: fileKeyOf(matchedName(name)) })).length > 0) fitting.push(sender)
  const [one, ...others] = fitting
  // One that an organization and its employer both name is the employer's.
  const own = fitting.find(({ employer_id }) => employer_id !== null)
  if (one && others.every(({ organization_id }) => organization_id === one.organization_id)) return own ?? one
  throw new NotTaken('Several companies take files from this address, and not one alone has a mapping for this name.')
}

/** One address alone, or behind a name: what else there is could be read as another sender by whoever verified it. */
const oneAddress = /^(?:[^<>@,;:]*<([^<>@\s]+@[^<>@\s]+)>|([^<>@\s,;:]+@[^<>@\s,;:]+))$/

/** Who a mail says it is from. Throws `NotTaken` where that is nobody, or not one alone. */
function senderIn([from, ...others]: readonly string[]): string {
  if (from === undefined) throw new NotTaken('The mail does not say who it is from.')
  const bare = from.replace(/"(?:\\.|[^"\\])*"|\([^()]*\)/g, '').trim()
  const [, named, alone] = oneAddress.exec(bare) ?? []
  const address = named ?? alone
  if (others.length > 0 || !address) throw new NotTaken('The mail does not say who alone it is from.')
  return address.toLowerCase()
}

/**
 * Takes the files that are attached to a mail, each in a transaction of its own; the sender is the address that the mail says it
 * is from. Answers what became of each. Throws what `readMailApart` throws, and `NotTaken` where nobody alone is the sender.
 */
export async function receiveMail(
  db: Kysely<Database>,
  message: Uint8Array,
  now: Date,
  gone?: AbortSignal,
): Promise<AttachedFile[]> {
  const mail = await readMailApart(message, gone)
  const from = senderIn(mail.from)
  const files: AttachedFile[] = []
  for (const { name, bytes } of mail.attachments) {
    // Pictures of a signature and the like are no files of ours.
    if (!/\.(csv|xlsx)$/i.test(name)) continue
    try {
      if (files.length >= mostFiles) throw new NotTaken(`Of one mail ${mostFiles} files are taken at most.`)
      const id = await db.transaction().execute(async (tx) => {
        const { id: address, organization_id, employer_id } = await senderOf(tx, from, kindIn(name), name)
        const by = { id: `data-email:${address}`, name: from }
        return receive(tx, { organization_id, employer_id, source: 'EMAIL', file_name: name, by, content: () => [bytes] }, now)
      })
      files.push({ file_name: name, import_id: id, message: null })
    } catch (error) {
      if (!(error instanceof NotTaken)) throw error
      files.push({ file_name: name, import_id: null, message: error.message })
    }
  }
  return files
}
