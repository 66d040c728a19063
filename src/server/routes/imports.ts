import { confirmDeduction } from '#contract/deductions.ts'
import { absentChanged, importUndone } from '#domain/import.ts'
import {
  answerImport,
  applyImport,
  countImportedPeople,
  countImports,
  countRejectedLines,
  downloadRejectedLines,
  getImport,
  listImportedPeople,
  listImportEvents,
  listImports,
  listRejectedLines,
  mendImport,
  rejectImport,
  undoImport,
  uploadImport,
} from '#contract/imports.ts'
import { listInvoiceLines } from '#contract/invoice-lines.ts'
import type { Actor } from '#server/access/actor.ts'
import { isOpenDebtor, openDebtor } from '#server/access/scope.ts'
import { rejectedFile } from '#server/documents/rejected-lines.ts'
import { streamedFile } from '#server/http/file-answer.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import { listBelow, reads } from '#server/http/reads.ts'
import { changing, creating, route } from '#server/http/route.ts'
import { answerQuestion } from '#server/jobs/imports/answer-question.ts'
import { FileRefused, receive, receiveMended } from '#server/jobs/imports/receive.ts'
import { undoEmployees } from '#server/jobs/imports/undo-employees.ts'
import { notifyWorkers } from '#server/jobs/queue.ts'
import { invalid, Refused, orNotFound } from '#server/http-error.ts'
import { namedOwner } from '#server/tables/owners.ts'
import type { Tx } from '#server/tables/database.ts'
import { absentFrom, importList, type ImportRow, oneImport, saveImport, toImport } from '#server/tables/imports.ts'
import { importedPeopleOf, toImportedPerson } from '#server/tables/imported-people.ts'
import { rejectedLinesOf, toRejectedLine } from '#server/tables/rejected-lines.ts'

const open = orNotFound(oneImport)

/** An import with whether all of its organization is open, so that lines of other employers may be shown. */
async function openWith(tx: Tx, actor: Actor, id: number): Promise<ImportRow & { whole: boolean }> {
  const found = await open(tx, actor, id)
  if (found.kind === 'CONFIRMATION') requirePermission(actor, listInvoiceLines.needs)
  return { ...found, whole: await isOpenDebtor(tx, actor, 'ORGANIZATION', found.organization_id) }
}

const imported = {
  entity: 'import',
  snapshot: ({ status, file_name }: ImportRow) => ({ status, file_name }),
  answer: toImport,
}

const change = changing({ ...imported, subject: ({ tx, actor, params }) => oneImport(tx, actor, params.id, { lock: true }) })

const upload = creating(async ({ tx, actor, body }) => {
  const { type, id } = namedOwner(body)
  return openDebtor(tx, actor, type, id)
}, imported)

/** Stores an uploaded file; a file that cannot be read is an error in its field. */
async function received<T>(file: { content: string }, store: (content: Buffer) => Promise<T>): Promise<T> {
  try {
    return await store(Buffer.from(file.content, 'base64'))
  } catch (error) {
    if (error instanceof FileRefused) throw invalid([{ path: 'file', message: error.message }])
    throw error
  }
}

export const routes = [
  ...reads(
    { list: listImports, count: countImports, get: getImport, history: listImportEvents },
    { list: importList, open, answer: toImport, entity: 'import' },
  ),

  ...listBelow(
    listRejectedLines,
    countRejectedLines,
    async ({ tx, actor, params }) => rejectedLinesOf(await openWith(tx, actor, params.id)),
    toRejectedLine,
  ),

  route(downloadRejectedLines, async ({ tx, actor, params, services }) => {
    const found = await openWith(tx, actor, params.id)
    return streamedFile(
      () => rejectedFile(services.db, found),
      `rejected-${found.file_name.replace(/\.\w+$/, '')}.csv`,
      'text/csv',
    )
  }),

  ...listBelow(
    listImportedPeople,
    countImportedPeople,
    async ({ tx, actor, params }) => importedPeopleOf((await open(tx, actor, params.id)).id),
    toImportedPerson,
  ),

  upload(uploadImport, ({ tx, actor, subject: { organization_id, employer_id }, body: { file }, now }) =>
    received(file, async (content) => {
      const from = { source: 'UPLOAD', file_name: file.name, by: actor, content: () => [content] } as const
      const row = await open(tx, actor, await receive(tx, { organization_id, employer_id, ...from }, now))
      // A confirmation file requires the permission to record withheld amounts by hand.
      if (row.kind === 'CONFIRMATION') requirePermission(actor, confirmDeduction.needs)
      return { after: row, text: row.file_name }
    }),
  ),

  change(applyImport, async ({ tx, actor, subject, body, now }) => {
    const absent = absentFrom(subject)
    // The person confirmed another number: nobody may lose access who was not in the count that the person saw.
    if (body.absent !== absent)
      throw new Refused(409, 'stale-version', absentChanged(body.absent, absent), { facts: toImport(subject, actor) })
    await saveImport(tx, subject.id, {
      status: 'PENDING',
      phase: null,
      message: null,
      absent_allowed: absent,
      decided_at: now,
      decided_by: actor.id,
      decided_by_name: actor.name,
    })
    await notifyWorkers(tx)
    return { after: await open(tx, actor, subject.id) }
  }),

  change(answerImport, async ({ tx, actor, subject, body, now }) => {
    await answerQuestion(tx, subject, body, { now, by: actor })
    const after = await open(tx, actor, subject.id)
    return { after, text: after.file_name }
  }),

  change(rejectImport, async ({ tx, actor, subject, now }) => {
    await saveImport(tx, subject.id, {
      status: 'REJECTED',
      finished_at: now,
      decided_at: now,
      decided_by: actor.id,
      decided_by_name: actor.name,
    })
    return { after: await open(tx, actor, subject.id) }
  }),

  change(undoImport, async ({ tx, actor, subject, now }) => {
    const { undone, skipped } = await undoEmployees(tx, subject, { actor, now })
    const message = importUndone(undone, skipped)
    await saveImport(tx, subject.id, { status: 'REJECTED', message, undone_at: now })
    return { after: await open(tx, actor, subject.id), text: message }
  }),

  change(mendImport, ({ tx, actor, subject, body: { file }, now }) =>
    received(file, async (content) => {
      const from = { file_name: file.name, by: actor, content: () => [content] }
      const after = await open(tx, actor, await receiveMended(tx, subject, from, now))
      return { after, text: after.file_name }
    }),
  ),
]
