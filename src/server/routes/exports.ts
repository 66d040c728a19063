import { createExport, downloadExport, getExport, listExports } from '#contract/exports.ts'
import { businessDate } from '#server/clock.ts'
import { streamedFile } from '#server/file-answer.ts'
import { exportKindOf } from '#server/jobs/export-kinds.ts'
import { tellWorkers } from '#server/jobs/queue.ts'
import { requirePermission } from '#server/perform.ts'
import { notFound, Refused } from '#server/refused.ts'
import { type Actor, route, type Tx } from '#server/route.ts'
import { addExport, contentOf, type ExportRow, exportOf, exportsOf, tellExport } from '#server/tables/exports.ts'

const mine = async (tx: Tx, actor: Actor, id: string): Promise<ExportRow> => {
  const row = await exportOf(tx, actor.id, id)
  if (!row) throw notFound()
  return row
}

export const routes = [
  route(createExport, async ({ tx, actor, body: { kind: name, filter } }) => {
    const kind = exportKindOf(name)
    requirePermission(actor, kind.needs)
    kind.parse(filter)
    const fileName = `${name}-${await businessDate(tx)}.csv`
    const row = await addExport(tx, { personId: actor.id, sessionId: actor.sessionId, kind: name, filter, fileName })
    await tellWorkers(tx)
    return tellExport(row)
  }),

  route(listExports, async ({ tx, actor }) => ({ exports: (await exportsOf(tx, actor.id)).map(tellExport) })),

  route(getExport, async ({ tx, actor, params }) => tellExport(await mine(tx, actor, params.id))),

  route(downloadExport, async ({ tx, actor, params, services }) => {
    const row = await mine(tx, actor, params.id)
    requirePermission(actor, exportKindOf(row.kind).needs)
    if (row.state === 'failed') throw new Refused(409, 'export-unfinished', row.message ?? 'This file could not be written.')
    if (row.state !== 'done')
      throw new Refused(409, 'export-unfinished', 'This file is still being written. Try again in a moment.')
    return streamedFile(() => contentOf(services.db, row.id), row.file_name, 'text/csv')
  }),
]
