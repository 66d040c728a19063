import type { ExportKind } from '#server/jobs/export-kind.ts'
import { modulesIn } from '#server/modules-in.ts'
import type { ExportName } from '#server/tables/exports.ts'

const kinds = await modulesIn(new URL('exports/', import.meta.url))

/** The kind of export with a name, which is also its file name; its row type is erased. */
export function exportKindOf(name: ExportName): ExportKind<unknown, unknown> {
  const found = kinds.get(name)
  if (!found) throw new Error(`There is no export of ${name}.`)
  return found['kind'] as ExportKind<unknown, unknown>
}
