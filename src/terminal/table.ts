import { capitalize } from '#domain/text.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { ListColumn } from '#portal/list/definition.ts'
import type { ListPane } from '#portal/list/panes.ts'
import { Stop } from '#terminal/stop.ts'
import type { Streams } from '#terminal/streams.ts'

type TextColumn = Pick<ListColumn, 'id' | 'title' | 'text'> & { align?: 'right' }

/** Minimum and maximum width of a column on a screen, and the space between two. */
const minWidth = 12
const maxWidth = 48
const gap = '  '

const idColumn = ({ ids, id }: AnyEntity): TextColumn => ({
  id: 'id',
  title: 'Id',
  text: (row) => (ids.isSpoken ? ids.write(id(row)) : id(row)),
})

/** All columns of a noun: its id, and those that its list declares; for a noun without a list, the fields of its rows. */
export function allColumns(entity: AnyEntity, pane: ListPane | null, row?: unknown): TextColumn[] {
  if (pane) return [idColumn(entity), ...pane.columns]
  const plain = Object.entries((row ?? {}) as object).filter(([, value]) => typeof value !== 'object')
  return plain.map(([name]) => ({
    id: name,
    title: capitalize(name.replaceAll('_', ' ')),
    text: (one) => String((one as Record<string, unknown>)[name]),
  }))
}

/** The columns to print: those of the option, else those that the list shows at first. */
export function columnsOf(entity: AnyEntity, pane: ListPane | null, wanted: string | undefined): TextColumn[] {
  const all = allColumns(entity, pane)
  const ids = wanted?.split(',').map((each) => each.trim()) ?? ['id', ...(pane?.shown ?? [])]
  return ids.map((id) => {
    const column = all.find((each) => each.id === id)
    if (!column) throw new Stop('usage', `There is no column ${id}.`, `Its columns: ${all.map((each) => each.id).join(', ')}`)
    return column
  })
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text)

/** Widths that fit a screen: the widest columns of text give way first, as far as they stay readable. */
function fitted(widths: readonly number[], isText: readonly boolean[], width: number): number[] {
  const fit = [...widths]
  const room = width - gap.length * (widths.length - 1)
  for (let over = fit.reduce((sum, each) => sum + each, 0) - room; over > 0; over--) {
    const widest = Math.max(...fit.filter((_, at) => isText[at]))
    if (widest <= minWidth) break
    fit[fit.findIndex((each, at) => isText[at] && each === widest)] = widest - 1
  }
  return fit
}

/** Prints rows as a table on a screen, and as tab-separated text with a heading elsewhere. */
export function printTable(columns: readonly TextColumn[], rows: readonly unknown[], { print, heading, width }: Streams): void {
  const cells = rows.map((row) => columns.map((column) => oneLine(column.text(row))))
  const titles = columns.map(({ title }) => title)
  if (width === null) {
    for (const line of [titles, ...cells]) print(line.join('\t'))
    return
  }
  const widths = fitted(
    titles.map((title, at) => Math.min(maxWidth, Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)))),
    columns.map(({ align }) => align !== 'right'),
    width,
  )
  const lineOf = (line: readonly string[]) =>
    line
      .map((text, at) => {
        const room = widths[at] ?? 0
        return columns[at]?.align === 'right' ? cut(text, room).padStart(room) : cut(text, room).padEnd(room)
      })
      .join(gap)
      .trimEnd()
  heading(cut(lineOf(titles), width))
  for (const line of cells) print(cut(lineOf(line), width))
}

/** Prints the facts of one record, one a line. */
export function printFacts(columns: readonly TextColumn[], row: unknown, { print, width }: Streams): void {
  const room = width === null ? 0 : Math.max(...columns.map(({ title }) => title.length))
  for (const { title, text } of columns)
    print(width === null ? `${title}\t${oneLine(text(row))}` : `${title.padEnd(room)}${gap}${oneLine(text(row))}`)
}
