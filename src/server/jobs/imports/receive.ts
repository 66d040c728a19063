import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type ImportKind, type ImportSource, mappingNotFound } from '#domain/import.ts'
import { isSystemFile, isUnfinished, matchedName, originalOfCopy } from '#domain/arriving-file-name.ts'
import { fileKeyOf, validateFileName, kindOfFileName } from '#domain/mapping-file-name.ts'
import { configurationsMissing } from '#domain/mapping.ts'
import { answerSender } from '#server/jobs/imports/answer-sender.ts'
import { employerOfMapping } from '#server/jobs/imports/several-employers.ts'
import { notifyWorkers } from '#server/jobs/queue.ts'
import type { Tx } from '#server/tables/database.ts'
import { type ImportTable, insertImport, mappingsFor, sameFileBefore } from '#server/tables/imports.ts'
import { hasConfiguration } from '#server/tables/mapping-preview.ts'

/** A received file: its owner, its sender, and its bytes piece by piece. */
export interface IncomingFile {
  organization_id: number
  /** Set if known before a mapping is found. */
  employer_id: number | null
  source: ImportSource
  file_name: string
  by: { id: string; name: string }
  /** The address to notify if it fails; mailed files only. */
  answer_to?: string | null
  /** Its bytes from the start, piece by piece; called twice. */
  content: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/** Why a file is not accepted, as text. */
export class FileRefused extends Error {}

/** Bytes stored per row. */
const partSize = 1024 * 1024

/** The size of a file, and its SHA-256 as hexadecimal digits. */
async function measure(content: IncomingFile['content']): Promise<{ size: number; hash: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const part of content()) {
    hash.update(part)
    size += part.length
  }
  return { size, hash: hash.digest('hex') }
}

/** Stores the bytes of a file. */
async function storeParts(tx: Tx, import_id: number, content: IncomingFile['content']): Promise<void> {
  let part = 0
  for await (const piece of content())
    for (let at = 0; at < piece.length; at += partSize) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset + at, Math.min(partSize, piece.length - at))
      await tx.insertInto('import_parts').values({ import_id, part, content: bytes }).execute()
      part += 1
    }
}

/**
 * The only mapping that reads a file of this name; throws `FileRefused` if there is none, if there are several, or if
 * configurations are missing.
 */
async function mappingFor(tx: Tx, file: Parameters<typeof mappingsFor>[1]) {
  const [found, ...others] = await mappingsFor(tx, file)
  if (!found) throw new FileRefused(mappingNotFound)
  if (others.length > 0)
    throw new FileRefused(
      `Several mappings read files of this name, of ${[found, ...others].map((one) => one.employer_name).join(', ')}.`,
    )
  if (!(await hasConfiguration(tx, found.employer_id))) throw new FileRefused(configurationsMissing)
  return found
}

const unknownName = () =>
  new FileRefused(
    'File names must end with _ee for employees or _tk for timekeeping, before .csv or .xlsx. Other names need a confirmation file mapping.',
  )

const isCopy = (name: string, original: string) =>
  new FileRefused(`“${name}” is the name of a copy. Check that it is the newest version, and send it as ${original}.`)

/** The kind of file by its name; throws `FileRefused` if no import can have such a name. */
export function kindIn(name: string): ImportKind {
  if (isSystemFile(name))
    throw new FileRefused(`“${name}” is a file that a program keeps beside the real one. Send the file itself.`)
  if (isUnfinished(name))
    throw new FileRefused(`“${name}” is the name of an unfinished file. Send it under its final name, such as acme_ee.csv.`)
  const original = originalOfCopy(name)
  if (original && kindOfFileName(matchedName(original))) throw isCopy(name, original)
  const matched = matchedName(name)
  const kind = kindOfFileName(matched)
  if (kind === 'DEDUCTION') throw unknownName()
  const wrong = validateFileName(kind ?? 'CONFIRMATION', matched)
  if (wrong) throw kind ? new FileRefused(wrong) : unknownName()
  return kind ?? 'CONFIRMATION'
}

/**
 * Throws `FileRefused` if an organization, or one employer of it, has no import for such a name: only a mapping identifies a file of
 * confirmations.
 */
export async function validateName(
  tx: Tx,
  name: string,
  of: Pick<IncomingFile, 'organization_id' | 'employer_id'>,
): Promise<void> {
  const kind = kindIn(name)
  if (kind !== 'CONFIRMATION') return
  const has = async (one: string) => (await mappingsFor(tx, { ...of, kind, file_key: fileKeyOf(matchedName(one)) })).length > 0
  if (await has(name)) return
  const original = originalOfCopy(name)
  throw original && (await has(original)) ? isCopy(name, original) : unknownName()
}

/**
 * Receives a file: the workers import it once this transaction is committed. A repeat of the last file of its name is stored as a
 * duplicate and not imported. Returns its id. Throws `FileRefused` if it cannot be stored as an import at all, since its name has no
 * kind.
 */
export async function receive(tx: Tx, file: IncomingFile, now: Date): Promise<number> {
  const name = file.file_name.trim()
  const kind = kindIn(name)
  const { organization_id, source, by } = file
  await validateName(tx, name, file)
  const file_key = fileKeyOf(matchedName(name))
  let employer_id = file.employer_id
  let refused: string | null = null
  try {
    employer_id = (await mappingFor(tx, { organization_id, employer_id, kind, file_key })).employer_id
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    refused = error.message
  }
  const { size, hash } = await measure(file.content)
  const same = refused === null ? await sameFileBefore(tx, { organization_id, employer_id, kind, file_key, hash }) : null
  // A file from a source that serves one employer is only about its people; an upload, about those open to the person.
  const for_all_employers = source === 'UPLOAD' || file.employer_id === null
  const values = { organization_id, employer_id, kind, source, file_name: name, file_key, size, hash, for_all_employers }
  const received = { received_by: by.id, received_by_name: by.name, answer_to: file.answer_to ?? null }
  if (same) {
    const message = `The same file was received before, as import ${same.id}. Nothing was done.`
    return insertImport(tx, { ...values, ...received, status: 'DUPLICATED', message }, now)
  }
  if (refused !== null) {
    const failed = await insertImport(tx, { ...values, ...received, status: 'FAIL', message: refused }, now)
    await answerSender(tx, failed, now)
    return failed
  }
  const id = await insertImport(tx, { ...values, ...received, status: 'PENDING', message: null }, now)
  await storeParts(tx, id, file.content)
  await notifyWorkers(tx)
  return id
}

/**
 * Receives corrected lines of an import: they are read by its mapping, whatever the name of the file, and change nobody else.
 * Returns the id of the new import. Throws `FileRefused` if the file is not .csv or .xlsx, or no mapping reads it any more.
 */
export async function receiveMended(
  tx: Tx,
  original: Pick<Selectable<ImportTable>, 'id' | 'organization_id' | 'employer_id' | 'kind' | 'file_key' | 'part_of'>,
  file: Pick<IncomingFile, 'file_name' | 'by' | 'content'>,
  now: Date,
): Promise<number> {
  const file_name = file.file_name.trim()
  if (!/\.(csv|xlsx)$/i.test(file_name)) throw new FileRefused('The file name must end with .csv or .xlsx.')
  const { organization_id, kind, file_key } = original
  const found = await mappingFor(tx, { ...original, employer_id: await employerOfMapping(tx, original) })
  const employer_id = original.employer_id ?? found.employer_id
  const { size, hash } = await measure(file.content)
  const received = { source: 'UPLOAD' as const, received_by: file.by.id, received_by_name: file.by.name, mends: original.id }
  const values = { organization_id, employer_id, kind, file_key, file_name, size, hash, ...received }
  const id = await insertImport(tx, { ...values, status: 'PENDING', message: null }, now)
  await storeParts(tx, id, file.content)
  await notifyWorkers(tx)
  return id
}
