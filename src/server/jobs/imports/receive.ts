import { createHash } from 'node:crypto'
import type { ImportSource } from '#domain/import.ts'
import { fileKeyOf, judgeFileName, kindOfFileName } from '#domain/mapping-file-name.ts'
import { configurationsMissing, mappingNotFound } from '#domain/mapping.ts'
import { tellWorkers } from '#server/jobs/queue.ts'
import type { Tx } from '#server/tables/database.ts'
import { insertImport, mappingsFor, sameFileBefore } from '#server/tables/imports.ts'
import { hasConfiguration } from '#server/tables/mapping-preview.ts'

/** A file that arrives: for whom, from whom, and its bytes piece by piece. */
export interface Arriving {
  organization_id: number
  /** Where it is known before any mapping is. */
  employer_id: number | null
  source: ImportSource
  file_name: string
  by: { id: string; name: string }
  content: readonly Uint8Array[]
}

/** Why a file is not taken, in words. */
export class NotTaken extends Error {}

/** Bytes that are kept as one row. */
const partSize = 1024 * 1024

/** SHA-256 of the bytes of a file, in hexadecimal digits. */
export function hashOf(content: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const part of content) hash.update(part)
  return hash.digest('hex')
}

/** The one mapping that reads a file of this name; throws `NotTaken` where there is none, several do, or configurations are missing. */
async function mappingFor(tx: Tx, file: Parameters<typeof mappingsFor>[1]) {
  const [found, ...others] = await mappingsFor(tx, file)
  if (!found) throw new NotTaken(mappingNotFound)
  if (others.length > 0)
    throw new NotTaken(
      `Several mappings read files of this name, of ${[found, ...others].map((one) => one.employer_name).join(', ')}.`,
    )
  if (!(await hasConfiguration(tx, found.employer_id))) throw new NotTaken(configurationsMissing)
  return found
}

/**
 * Takes a file that arrives: the workers import it once this transaction is committed. The last file of its name again is a
 * duplicate, of which nothing more is done. Answers its id. Throws `NotTaken` where it cannot be kept as an import at all: its
 * name says no kind.
 */
export async function receive(tx: Tx, file: Arriving, now: Date): Promise<number> {
  const name = file.file_name.trim()
  const kind = kindOfFileName(name)
  if (kind !== 'EMPLOYEE' && kind !== 'TIMEKEEPING')
    throw new NotTaken('File names must end with _ee for employees or _tk for timekeeping, before .csv or .xlsx.')
  const wrong = judgeFileName(kind, name)
  if (wrong) throw new NotTaken(wrong)
  const { organization_id, source, by } = file
  const file_key = fileKeyOf(name)
  let employer_id = file.employer_id
  let refused: string | null = null
  try {
    employer_id = (await mappingFor(tx, { organization_id, employer_id, kind, file_key })).employer_id
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error
    refused = error.message
  }
  const hash = hashOf(file.content)
  const size = file.content.reduce((sum, part) => sum + part.length, 0)
  const same = refused === null ? await sameFileBefore(tx, { organization_id, employer_id, kind, file_key, hash }) : null
  const values = { organization_id, employer_id, kind, source, file_name: name, file_key, size, hash }
  const received = { received_by: by.id, received_by_name: by.name }
  if (same) {
    const message = `The same file was received before, as import ${same.id}. Nothing was done.`
    return insertImport(tx, { ...values, ...received, status: 'DUPLICATED', message }, now)
  }
  if (refused !== null) return insertImport(tx, { ...values, ...received, status: 'FAIL', message: refused }, now)
  const id = await insertImport(tx, { ...values, ...received, status: 'PENDING', message: null }, now)
  let part = 0
  for (const piece of file.content)
    for (let at = 0; at < piece.length; at += partSize) {
      const content = Buffer.from(piece.buffer, piece.byteOffset + at, Math.min(partSize, piece.length - at))
      await tx.insertInto('import_parts').values({ import_id: id, part, content }).execute()
      part += 1
    }
  await tellWorkers(tx)
  return id
}
