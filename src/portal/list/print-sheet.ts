import { formatCents } from '#domain/money.ts'
import { wholeNumber } from '#domain/text.ts'
import type { Total } from '#kernel/entity.ts'
import { store } from '#portal/platform/store.ts'
import type { List } from '#portal/list/list.ts'
import { mainListAtom, tabListAtoms } from '#portal/list/lists.ts'
import type { AnyColumn } from '#portal/list/pane.ts'
import { record } from '#portal/records/entity-store.ts'
import '#portal/list/print.css'

/** The content of a printed list. */
export interface PrintContent {
  title: string
  /** Filters, search and order as text. */
  words: readonly string[]
  columns: readonly AnyColumn[]
  rows: readonly unknown[]
  /** Number of matches; null while unknown. */
  count: number | null
  totals: readonly Total[]
}

const part = (name: string, text = '', more: Partial<HTMLElement> = {}): HTMLElement =>
  Object.assign(document.createElement(name), { textContent: text }, more)

/** Number of rows and how many are printed: only loaded rows can be. */
function howMany(rows: number, count: number | null): string {
  const word = rows === 1 ? 'row' : 'rows'
  if (count === rows) return `${wholeNumber(rows)} ${word}`
  return `${wholeNumber(rows)} ${word}${count === null ? '' : ` of ${wholeNumber(count)}`}: those that were loaded`
}

/** A list as a plain table of all loaded rows, where the grid renders only visible ones. */
export function printSheet({ title, words, columns, rows, count, totals }: PrintContent): HTMLElement {
  const sheet = part('section', '', { className: 'print-sheet' })
  sheet.append(part('h1', title))
  if (words.length) sheet.append(part('p', words.join(' · ')))
  const table = part('table')
  const line = (name: string, cell: (column: AnyColumn) => string) => {
    const row = part('tr')
    row.append(...columns.map((column) => part(name, cell(column), { className: column.align === 'right' ? 'print-right' : '' })))
    return row
  }
  const [head, body] = [part('thead'), part('tbody')]
  head.append(line('th', (column) => column.title))
  body.append(...rows.map((row) => line('td', (column) => column.text(row))))
  table.append(head, body)
  const sums = totals.map((total) => `${total.title} ${formatCents(total.cents)}`)
  sheet.append(table, part('p', [howMany(rows.length, count), ...sums].join(' · ')))
  return sheet
}

/** The filters from the chips above a list, which already show names instead of ids. */
const filterWords = (list: List): string[] =>
  [...document.querySelectorAll(list.leads ? '.work > .pane .chip' : '.tab-list .chip')].map((chip) =>
    [...chip.querySelectorAll('em, b')].map((each) => each.textContent).join(' '),
  )

function printedOf(list: List): PrintContent {
  const search = store.get(list.searchAtom)
  const sort = store.get(list.askedAtom)?.sort
  const order = sort && list.definition.sorts.find(({ id }) => id === sort.id)?.title
  const chips = filterWords(list)
  const q = search.get('q')
  const named = store.get(list.namedAtom)
  return {
    title: named?.search ? `${list.definition.title}: ${named.title}` : list.definition.title,
    words: [
      ...chips,
      ...(q && !chips.some((words) => words.includes(q)) ? [`Search “${q}”`] : []),
      ...(order ? [`Sorted by ${order.toLowerCase()}, ${sort.order === 'asc' ? 'ascending' : 'descending'}`] : []),
    ],
    columns: store.get(list.columnsAtom) as readonly AnyColumn[],
    rows: list.pages
      .loaded()
      .map((id) => record(list.rows, id))
      .filter((row) => row !== undefined),
    count: store.get(list.whereAtom)?.count ?? null,
    totals: store.get(list.tally.totalsAtom),
  }
}

/** Before printing, adds a printable version of the page. Returns the function that stops it. */
export function watchPrint(): () => void {
  let sheet: HTMLElement | null = null
  const clear = () => {
    sheet?.remove()
    sheet = null
  }
  const before = () => {
    clear()
    // With an open record its list is not printed, but the list in its tab is.
    const record = document.querySelector('.detail:not([data-side=beside])')
    const list = store.get(record ? tabListAtoms.main : mainListAtom)
    if (!list) return
    sheet = printSheet(printedOf(list))
    if (record) sheet.classList.add('print-tab')
    const at = record?.querySelector('.detail-body')
    if (at) at.append(sheet)
    else document.body.append(sheet)
  }
  addEventListener('beforeprint', before)
  addEventListener('afterprint', clear)
  return () => {
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', clear)
    clear()
  }
}
