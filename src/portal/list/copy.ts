import { copyText } from '#portal/state/clipboard.ts'
import { columnsAtom } from '#portal/list/columns.ts'
import { listAtom } from '#portal/list/list.ts'
import type { ListColumn } from '#portal/list/panes.ts'
import { store } from '#portal/state/store.ts'
import { targetAtom } from '#portal/state/target.ts'
import { thing } from '#portal/state/things.ts'
import { say } from '#portal/state/toasts.ts'

/** Rows as tab-separated text with heads; tabs and line breaks inside a cell become spaces, masked cells stay masked. */
export const tabSeparated = (columns: readonly ListColumn[], rows: readonly unknown[]): string =>
  [columns.map((column) => column.title), ...rows.map((row) => columns.map((column) => column.text(row)))]
    .map((cells) => cells.map((cell) => cell.replace(/\s+/g, ' ')).join('\t'))
    .join('\n')

/** Copies the marked rows, else the active one. Of rows that are not loaded it says how many are missing. */
export async function copyRows(): Promise<void> {
  const list = store.get(listAtom)
  if (!list) return
  const target = store.get(targetAtom)
  const rows = (target?.ids ?? []).map((id) => thing(list.entity.name, id)).filter((row) => row !== undefined)
  if (!target || !rows.length) return
  if (!(await copyText(tabSeparated(store.get(columnsAtom), rows))))
    return say('The browser does not let this page write to the clipboard.', { tone: 'bad' })
  const all = target.count
  const word = rows.length === 1 ? 'row' : 'rows'
  if (all !== null && all <= rows.length) say(`${rows.length} ${word} copied`)
  else
    say(`${rows.length.toLocaleString('en-US')} ${word} copied`, {
      detail: `Only loaded rows can be copied${all === null ? '' : `; ${(all - rows.length).toLocaleString('en-US')} of ${all.toLocaleString('en-US')} are not loaded`}.`,
    })
}
