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
  listImportEvents,
  listImportedPeople,
  listImports,
  listRejectedLines,
  mendImport,
  postAnswer,
  postApply,
  postImport,
  postMended,
  postReject,
  postUndoImport,
  rejectImport,
  undoImport,
  uploadImport,
} from '#contract/imports.ts'
import { listInvoiceLines } from '#contract/invoice-lines.ts'
import type { Actor } from '#server/access/actor.ts'
import { isOpenDebtor, type OpenDebtor, openDebtor } from '#server/access/scope.ts'
import { rejectedFile } from '#server/documents/rejected-lines.ts'
import { streamedFile } from '#server/http/file-answer.ts'
import { historyOf } from '#server/http/history.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import { change, on, route } from '#server/http/route.ts'
import { answerQuestion } from '#server/jobs/imports/answer-question.ts'
import { FileRefused, receive, receiveMended } from '#server/jobs/imports/receive.ts'
import { undoEmployees } from '#server/jobs/imports/undo-employees.ts'
import { notifyWorkers } from '#server/jobs/queue.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { invalid, notFound, Refused } from '#server/http-error.ts'
import { namedOwner } from '#server/tables/owners.ts'
import type { Tx } from '#server/tables/database.ts'
import { absentFrom, importList, type ImportRow, oneImport, saveImport, toImport } from '#server/tables/imports.ts'
import { importedPeopleOf, toImportedPerson } from '#server/tables/imported-people.ts'
import { rejectedLinesOf, toRejectedLine } from '#server/tables/rejected-lines.ts'

const open = async (tx: Tx, actor: Actor, id: number): Promise<ImportRow> => {
  const found = await oneImport(tx, actor, id)
  if (!found) throw notFound()
  return found
}

/** An import with whether all of its organization is open, so that lines of other employers may be shown. */
async function openWith(tx: Tx, actor: Actor, id: number): Promise<ImportRow & { whole: boolean }> {
  const found = await open(tx, actor, id)
  if (found.kind === 'CONFIRMATION') requirePermission(actor, listInvoiceLines.needs)
  return { ...found, whole: await isOpenDebtor(tx, actor, 'ORGANIZATION', found.organization_id) }
}

const target = ({ id, version }: ImportRow) => ({ entity: 'import', id: String(id), version })
const snapshot = ({ status, file_name }: ImportRow) => ({ status, file_name })

const ofImport = {
  subject: ({ tx, actor, params }: { tx: Tx; actor: Actor; params: { id: number } }) =>
    oneImport(tx, actor, params.id, { lock: true }),
  target,
  snapshot,
  facts: async ({ subject, actor }: { subject: ImportRow; actor: Actor }) => toImport(subject, actor),
}

/** The owner of a new file, and then the import. */
interface ImportCreation {
  owner: OpenDebtor
  row: ImportRow | null
}

export const routes = [
  route(listImports, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /imports', actor, query)
    const { rows, next } = await importList.page({ tx, actor }, query, from)
    return { imports: rows.map((row) => toImport(row, actor)), lek: seal(next) }
  }),

  route(countImports, ({ tx, actor, query }) => importList.count({ tx, actor }, query)),

  route(getImport, async ({ tx, actor, params }) => toImport(await open(tx, actor, params.id), actor)),

  route(listImportEvents, async (context) => {
    const { id } = await open(context.tx, context.actor, context.params.id)
    return historyOf(context, 'GET /imports/{id}/history', { entity: 'import', id: String(id) })
  }),

  route(listRejectedLines, async ({ tx, actor, params, query, services }) => {
    const found = await openWith(tx, actor, params.id)
    const { from, seal } = listCursor(services, `GET /imports/${found.id}/rejected-lines`, actor, query)
    const { rows, next } = await rejectedLinesOf(found).page({ tx, actor }, query, from)
    return { rejected_lines: rows.map(toRejectedLine), lek: seal(next) }
  }),

  route(countRejectedLines, async ({ tx, actor, params, query }) => {
    return rejectedLinesOf(await openWith(tx, actor, params.id)).count({ tx, actor }, query)
  }),

  route(downloadRejectedLines, async ({ tx, actor, params, services }) => {
    const found = await openWith(tx, actor, params.id)
    return streamedFile(
      () => rejectedFile(services.db, found),
      `rejected-${found.file_name.replace(/\.\w+$/, '')}.csv`,
      'text/csv',
    )
  }),

  route(listImportedPeople, async ({ tx, actor, params, query, services }) => {
    const { id } = await open(tx, actor, params.id)
    const { from, seal } = listCursor(services, `GET /imports/${id}/people`, actor, query)
    const { rows, next } = await importedPeopleOf(id).page({ tx, actor }, query, from)
    return { people: rows.map((row) => toImportedPerson(row, actor)), lek: seal(next) }
  }),

  route(countImportedPeople, async ({ tx, actor, params, query }) => {
    return importedPeopleOf((await open(tx, actor, params.id)).id).count({ tx, actor }, query)
  }),

  change<typeof postImport, ImportCreation>(postImport, {
    subject: async ({ tx, actor, body }) => {
      const { type, id } = namedOwner(body)
      const owner = await openDebtor(tx, actor, type, id)
      return owner && { owner, row: null }
    },
    target: ({ row }) => (row ? target(row) : { entity: 'import', id: '', version: null }),
    snapshot: ({ row }) => (row ? snapshot(row) : {}),
    intents: [
      on<typeof uploadImport, ImportCreation>(uploadImport, async ({ tx, actor, subject: { owner }, body, now }) => {
        const content = Buffer.from(body.file.content, 'base64')
        try {
          const id = await receive(
            tx,
            {
              organization_id: owner.organization_id,
              employer_id: owner.employer_id,
              source: 'UPLOAD',
              file_name: body.file.name,
              by: actor,
              content: () => [content],
            },
            now,
          )
          const row = await open(tx, actor, id)
          // A confirmation file requires the permission to record withheld amounts by hand.
          if (row.kind === 'CONFIRMATION') requirePermission(actor, confirmDeduction.needs)
          return { after: { owner, row }, answer: toImport(row, actor), text: row.file_name }
        } catch (error) {
          if (error instanceof FileRefused) throw invalid([{ path: 'file', message: error.message }])
          throw error
        }
      }),
    ],
  }),

  change(postApply, {
    ...ofImport,
    intents: [
      on<typeof applyImport, ImportRow>(applyImport, async ({ tx, actor, subject, body, now }) => {
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
        const after = await open(tx, actor, subject.id)
        return { after, answer: toImport(after, actor) }
      }),
    ],
  }),

  change(postAnswer, {
    ...ofImport,
    intents: [
      on<typeof answerImport, ImportRow>(answerImport, async ({ tx, actor, subject, body, now }) => {
        await answerQuestion(tx, subject, body, { now, by: actor })
        const after = await open(tx, actor, subject.id)
        return { after, answer: toImport(after, actor), text: after.file_name }
      }),
    ],
  }),

  change(postReject, {
    ...ofImport,
    intents: [
      on<typeof rejectImport, ImportRow>(rejectImport, async ({ tx, actor, subject, now }) => {
        await saveImport(tx, subject.id, {
          status: 'REJECTED',
          finished_at: now,
          decided_at: now,
          decided_by: actor.id,
          decided_by_name: actor.name,
        })
        const after = await open(tx, actor, subject.id)
        return { after, answer: toImport(after, actor) }
      }),
    ],
  }),

  change(postUndoImport, {
    ...ofImport,
    intents: [
      on<typeof undoImport, ImportRow>(undoImport, async ({ tx, actor, subject, now }) => {
        const { undone, skipped } = await undoEmployees(tx, subject.id, { actor, now })
        const message = importUndone(undone, skipped)
        await saveImport(tx, subject.id, { status: 'REJECTED', message, undone_at: now })
        const after = await open(tx, actor, subject.id)
        return { after, answer: toImport(after, actor), text: message }
      }),
    ],
  }),

  change(postMended, {
    ...ofImport,
    intents: [
      on<typeof mendImport, ImportRow>(mendImport, async ({ tx, actor, subject, body, now }) => {
        const content = Buffer.from(body.file.content, 'base64')
        try {
          const file = { file_name: body.file.name, by: actor, content: () => [content] }
          const after = await open(tx, actor, await receiveMended(tx, subject, file, now))
          return { after, answer: toImport(after, actor), text: after.file_name }
        } catch (error) {
          if (error instanceof FileRefused) throw invalid([{ path: 'file', message: error.message }])
          throw error
        }
      }),
    ],
  }),
]
