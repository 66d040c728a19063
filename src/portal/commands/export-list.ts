import { createExport, exportKinds } from '#contract/exports.ts'
import { wholeNumber } from '#domain/text.ts'
import type { ExportFormat } from '#kernel/command-host.ts'
import { Refusal, Unanswered } from '#kernel/api-client.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'
import { dismiss, showToast, toastsAtom } from '#portal/platform/toasts.ts'
import { saveAs, writeOnServer } from '#portal/commands/files.ts'
import { type ListRequest, pageOf } from '#portal/list/asking.ts'
import { exportFile, exportFileName } from '#portal/list/export-file.ts'
import { filterText } from '#portal/format/filter-text.ts'
import type { List } from '#portal/list/list.ts'
import { activeListAtom } from '#portal/list/lists.ts'
import { pageSize } from '#portal/list/pages.ts'
import { record } from '#portal/records/entity-store.ts'
import { meAtom, myId } from '#portal/api/session.ts'

/** Maximum number of rows that the browser writes to a file. */
const maxExportRows = 200_000

/** An export that cannot continue; the message says what to do next. */
class Stopped extends Error {}

const tooLong = (many: string) =>
  new Stopped(`A file has at most ${wholeNumber(maxExportRows)} ${many}. Set a filter and export the list in parts.`)

/** The name of the active saved view, else the filters and the search in words; empty for a list without a filter. */
function filterWords(list: List): string {
  const q = store.get(list.searchAtom).get('q')?.trim() ?? ''
  const named = store.get(list.namedAtom)
  const filters = store.get(list.filtersAtom).filter(({ problem }) => !problem)
  const words = named?.search
    ? [named.title]
    : filters.map((filter) => {
        const [head, body] = filterText(filter)
        return filter.filter?.field.kind === 'choices' && filter.type === 'is' ? body : `${head.replace(/ is$/, '')} ${body}`
      })
  return [...words, q].join(' ')
}

/** Reads every matching row once, in the order of the list; `progress` is called with the number of rows so far. */
async function everyRow({ definition }: List, asking: ListRequest, progress: (rows: number) => void): Promise<unknown[]> {
  const rows = new Map<string, unknown>()
  const person = myId()
  const { signal } = new AbortController()
  const receive = (page: readonly unknown[]) =>
    page.map((row) => {
      const id = definition.rowKind.id(row)
      rows.set(id, row)
      return id
    })
  for (let cursor: string | null = null; ; ) {
    const { next } = await pageOf(asking, { cursor, direction: 'after', background: false, signal }, pageSize, receive)
    // Pages read after the session has changed to another person do not belong in this file.
    if (myId() !== person) throw new Stopped('You signed out while the file was written. Export the list again.')
    if (rows.size > maxExportRows) throw tooLong(definition.many)
    progress(rows.size)
    if (next === null) return [...rows.values()]
    cursor = next
  }
}

/** The marked rows, in the order of the marks. */
function markedRows(list: List): unknown[] {
  const rows = (store.get(list.markedAtom)?.ids ?? []).map((id) => record(list.rows, id))
  if (rows.includes(undefined)) throw new Stopped('Some of the selected rows are not loaded. Select them again.')
  return rows
}

/** Replaces the previous toast, so that a long export shows only one. */
function progressOf(many: string, count: number | null) {
  let toast: number | null = null
  let quarter = -1
  const clear = () => {
    if (toast !== null) dismiss(toast)
    toast = null
  }
  return {
    clear,
    show: (rows: number) => {
      const now = count ? Math.floor((rows / count) * 4) : Math.floor(rows / 10_000)
      if (now === quarter || (count !== null && rows >= count)) return
      quarter = now
      clear()
      showToast(
        count === null ? `${wholeNumber(rows)} ${many} read` : `${wholeNumber(rows)} of ${wholeNumber(count)} ${many} read`,
      )
      toast = store.get(toastsAtom).at(-1)?.id ?? null
    },
  }
}

/**
 * Exports every matching row of the open list, or the marked ones, in its order and with its visible columns, as far as the user
 * may see them. Lists above the limit of the browser are exported by the server if it supports that.
 */
export async function exportList(format: ExportFormat, which: 'all' | 'selected' = 'all'): Promise<void> {
  const list = store.get(activeListAtom)
  if (!list || !store.get(list.askedAtom)) return
  const { many, name, title } = list.definition
  const columns = store.get(list.columnsAtom)
  const where = store.get(list.whereAtom)
  const fileName = exportFileName(format, {
    list: list.scope.of ? `${name} ${list.scope.of.id}` : name,
    filter: which === 'selected' ? which : filterWords(list),
    person: store.get(meAtom)?.person.name ?? '',
    at: new Date(),
  })
  const progress = progressOf(many, where?.exact ? where.count : null)
  try {
    if (which === 'all' && (where?.count ?? 0) > maxExportRows) {
      const kind = exportKinds.find((each) => each === name)
      if (!kind || format !== 'csv' || !list.filter || !store.get(capabilitiesAtom)(createExport)) throw tooLong(many)
      await writeOnServer(list, kind, fileName)
      return
    }
    const rows = which === 'selected' ? markedRows(list) : await everyRow(list, list.asking, progress.show)
    saveAs(await exportFile(format, title, columns, rows), fileName)
    showToast(`Exported ${wholeNumber(rows.length)} ${many}`, { tone: 'good', detail: fileName })
  } catch (error) {
    const detail =
      error instanceof Refusal || error instanceof Stopped ? error.message : error instanceof Unanswered ? error.detail : null
    showToast(`The ${many} could not be written to a file.`, { tone: 'bad', detail: detail ?? 'Try again.' })
  } finally {
    progress.clear()
  }
}
