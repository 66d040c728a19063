import type { ExportKind } from '#server/jobs/export-kind.ts'
import { modulesIn } from '#server/modules-in.ts'
import type { ExportName } from '#server/tables/exports.ts'

const kinds = await modulesIn(new URL('exports/', import.meta.url))

/** A kind of export by its name, which is that of its file, where no row of its own is read. */
export function exportKindOf(name: ExportName): ExportKind<unknown, unknown> {
  const found = kinds.get(name)
  if (!found) throw new Error(`There is no export of ${name}.`)
  return found['kind'] as ExportKind<unknown, unknown>
}
