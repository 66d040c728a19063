import { createExport, downloadExport, type Export, getExport, listExports } from '#contract/exports.ts'
import { may } from '#domain/permissions.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { streamedFile } from '#server/http/file-answer.ts'
import { exportKindOf } from '#server/jobs/export-kind-of.ts'
import { notifyWorkers } from '#server/jobs/queue.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import { existing, Refused } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { route } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import {
  addExport,
  contentOf,
  type ExportRow,
  exportOf,
  exportsOf,
  isOpenExport,
  maxKept,
  toExport,
  unfinishedExports,
} from '#server/tables/exports.ts'

const accessLost = 'You no longer have access to everything in this file. Export the list again.'

/** An export of the person, who must still be allowed to read its list. */
const ownExport = async (tx: Tx, actor: Actor, id: string): Promise<ExportRow> => {
  const row = existing(await exportOf(tx, actor.id, id))
  requirePermission(actor, exportKindOf(row.kind).needs)
  return row
}

/** An export as the person may see it: it counts as failed if some of its rows are no longer open to them. */
async function visibleExport(tx: Tx, actor: Actor, row: ExportRow): Promise<Export> {
  const view = toExport(row)
  return row.state !== 'done' || (await isOpenExport(tx, actor, row)) ? view : { ...view, state: 'failed', message: accessLost }
}

export const routes = [
  route(
    createExport,
    async ({ tx, actor, body: { kind: name, filter } }) => {
      const kind = exportKindOf(name)
      requirePermission(actor, kind.needs)
      kind.parse(filter)
      if ((await unfinishedExports(tx, actor.id)) >= maxKept)
        throw new Refused(
          429,
          'too-many-exports',
          `You have ${maxKept} exports that are still being written, which is the most. Wait until one is done.`,
        )
      const fileName = `${name}-${await businessDate(tx)}.csv`
      const row = await addExport(tx, { personId: actor.id, sessionId: actor.sessionId, kind: name, filter, fileName })
      await notifyWorkers(tx)
      return toExport(row)
    },
    { again: async ({ tx, actor }, { id }) => visibleExport(tx, actor, await ownExport(tx, actor, id)) },
  ),

  route(listExports, async ({ tx, actor }) => {
    const allowed = (await exportsOf(tx, actor.id)).filter(
      ({ kind }) => may(actor.held, exportKindOf(kind).needs as never) === 'yes',
    )
    const exports: Export[] = []
    for (const row of allowed) exports.push(await visibleExport(tx, actor, row))
    return { exports }
  }),

  route(getExport, async ({ tx, actor, params }) => visibleExport(tx, actor, await ownExport(tx, actor, params.id))),

  route(downloadExport, async ({ tx, actor, params, services }) => {
    const row = await ownExport(tx, actor, params.id)
    if (row.state === 'done' && !(await isOpenExport(tx, actor, row))) throw new Refused(403, 'permission-denied', accessLost)
    if (row.state === 'failed') throw new Refused(409, 'export-unfinished', row.message ?? 'This file could not be written.')
    if (row.state !== 'done')
      throw new Refused(409, 'export-unfinished', 'This file is still being written. Try again in a moment.')
    return streamedFile(() => contentOf(services.db, row.id), row.file_name, 'text/csv')
  }),
]
