import { shortened, wholeNumber } from '#domain/text.ts'

/** The first lines of a visible sheet that is not read, which may contain its headers. */
export interface SheetHead {
  name: string
  lines: string[][]
}

/** The sheet of a workbook that is read, and what a person looking at the workbook cannot see of it. */
export interface SheetNotes {
  /** Its position in the workbook, from 1. */
  place: number
  name: string
  hiddenSheets: string[]
  /** Visible sheets that are not read. */
  otherSheets: string[]
  /** Their first lines, as far as they were read. */
  otherHeads: SheetHead[]
  /** It is the first visible one, not chosen by name. */
  isFirst: boolean
  /** Number of hidden non-empty rows, and the first row numbers. */
  hiddenRows: { count: number; first: number[] }
  /** Letters of hidden columns within the usual width of a table; sheets often hide all columns after it. */
  hiddenColumns: string[]
  /** A filter hides rows. */
  filtered: boolean
}

const attributes = `((?:[^"'>]|"[^"]*"|'[^']*')*)`
const tags = (name: string): RegExp => new RegExp(String.raw`<(?:[\w.-]+:)?${name}(?=[\s/>])${attributes}>`, 'g')

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (entity: string, hex?: string, decimal?: string, name?: string) => {
    if (name) return entities[name] ?? entity
    const point = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return point <= 0x10ffff ? String.fromCodePoint(point) : entity
  })

/** The value of an attribute, whatever its prefix. */
function attribute(tag: string, name: string): string | null {
  const found = new RegExp(String.raw`(?:^|\s)(?:[\w.-]+:)?${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`).exec(tag)
  return found ? unescaped(found[1] ?? found[2] ?? '') : null
}

const isTrue = (value: string | null): boolean => value === '1' || value === 'true'
/** Maximum number of hidden rows listed in a sentence. */
const maxNamedRows = 3

/** Maximum number of other visible sheets that are inspected, and lines of each. */
export const maxOtherSheets = 10
const maxHeadRows = 60

/** The XML of a sheet with its first rows only. */
export function headOfSheet(text: string): string {
  let rows = 0
  for (const { index, 0: tag } of text.matchAll(/<\/(?:[\w.-]+:)?row\s*>/g)) {
    rows += 1
    if (rows < maxHeadRows) continue
    const [end = ''] = /<\/(?:[\w.-]+:)?sheetData[\s\S]*$/.exec(text) ?? []
    return text.slice(0, index + tag.length) + end
  }
  return text
}

/** Hidden columns up to this one may belong to a table. */
const maxTableColumns = 200
/** The letters of a column, from 1. */
export const lettersOf = (column: number): string =>
  column < 1 ? '' : lettersOf(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26))

/** The part of a workbook that a relation refers to: from the root if it starts with a slash, else relative to the workbook. */
const partOf = (target: string): string => (target.startsWith('/') ? target.slice(1) : `xl/${target}`)

/**
 * The sheet to read of an unpacked workbook, the first visible one unless `chosen` names another visible one, and what is
 * hidden around and in it. If the list of sheets is missing, the first sheet is read.
 */
export function visibleSheet(parts: Readonly<Record<string, Uint8Array>>, chosen: string | null = null): SheetNotes {
  const textOf = (name: string): string => {
    const part = parts[name]
    return part ? new TextDecoder().decode(part) : ''
  }
  const sheets = [...textOf('xl/workbook.xml').matchAll(tags('sheet'))].map(([, tag = ''], at) => ({
    place: at + 1,
    name: attribute(tag, 'name') ?? '',
    relation: attribute(tag, 'id'),
    isHidden: /hidden/i.test(attribute(tag, 'state') ?? ''),
  }))
  const first = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]
  const read = sheets.find(({ isHidden, name }) => !isHidden && name === chosen) ?? first
  const relation = [...textOf('xl/_rels/workbook.xml.rels').matchAll(tags('Relationship'))].find(
    ([, tag = '']) => attribute(tag, 'Id') === read?.relation,
  )
  const text = textOf(partOf(attribute(relation?.[1] ?? '', 'Target') ?? ''))
  const rows = [...text.matchAll(tags('row'))].flatMap(([, tag = '']) =>
    isTrue(attribute(tag, 'hidden')) && !tag.endsWith('/') ? [Number(attribute(tag, 'r') ?? 0)] : [],
  )
  const hiddenColumns = [...text.matchAll(tags('col'))].flatMap(([, tag = '']) => {
    const [from, to] = [Number(attribute(tag, 'min')), Number(attribute(tag, 'max'))]
    if (!isTrue(attribute(tag, 'hidden')) || !(from >= 1) || to > maxTableColumns) return []
    return Array.from({ length: to - from + 1 }, (_, at) => lettersOf(from + at))
  })
  const others = sheets.filter((sheet) => sheet !== read)
  return {
    place: read?.place ?? 1,
    name: read?.name ?? '',
    hiddenSheets: others.filter(({ isHidden }) => isHidden).map(({ name }) => name),
    otherSheets: others.filter(({ isHidden }) => !isHidden).map(({ name }) => name),
    otherHeads: [],
    isFirst: read === first,
    hiddenRows: { count: rows.length, first: rows.slice(0, maxNamedRows) },
    hiddenColumns,
    filtered: /<(?:[\w.-]+:)?filterColumn[\s/>]/.test(text),
  }
}

const listed = (names: readonly string[]): string => names.map(shortened).join(', ')

/** What a person should know about the sheet that was read, one sentence each. */
export function sheetSentences({
  name,
  hiddenSheets,
  otherSheets,
  hiddenRows,
  hiddenColumns,
  filtered,
  isFirst,
}: SheetNotes): string[] {
  const said: string[] = []
  if (hiddenSheets.length > 0 || otherSheets.length > 0)
    said.push(`The sheet ${shortened(name)} was read${isFirst ? ', the first visible one' : ''}.`)
  if (hiddenSheets.length > 0)
    said.push(
      hiddenSheets.length === 1
        ? `The sheet ${listed(hiddenSheets)} is hidden and was not read.`
        : `The sheets ${listed(hiddenSheets)} are hidden and were not read.`,
    )
  if (otherSheets.length > 0)
    said.push(
      otherSheets.length === 1
        ? `The sheet ${listed(otherSheets)} was not read.`
        : `The sheets ${listed(otherSheets)} were not read.`,
    )
  const { count, first } = hiddenRows
  if (count > 0) {
    const which = `${first.map(wholeNumber).join(', ')}${count > first.length ? ' and others' : ''}`
    said.push(
      count === 1
        ? `Row ${which} is hidden and was read all the same.`
        : `${wholeNumber(count)} rows (${which}) are hidden and were read all the same.`,
    )
  }
  if (hiddenColumns.length > 0) {
    const which = `${hiddenColumns.slice(0, maxNamedRows).join(', ')}${hiddenColumns.length > maxNamedRows ? ' and others' : ''}`
    said.push(
      hiddenColumns.length === 1
        ? `Column ${which} is hidden and was read all the same.`
        : `${wholeNumber(hiddenColumns.length)} columns (${which}) are hidden and were read all the same.`,
    )
  }
  if (filtered) said.push('A filter is set in the sheet. Rows that it hides were read all the same.')
  return said
}
