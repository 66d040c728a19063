import { format, getFormatDateInfo, getFormatFromId, getFormatInfo } from 'numfmt'

/** Kind of a cell as declared in the sheet: number, boolean, error, ISO date, or a formula that was never calculated. */
export type CellKind = 'n' | 'b' | 'e' | 'd' | 'f'

/** What a spreadsheet shows if a value cannot be shown, such as a date before its calendar begins. */
const unshowable = '########'

/** Precision of numbers in a spreadsheet, in digits. */
const keptDigits = 15
const maxKept = 10 ** keptDigits - 1

const secondsPerDay = 86_400
/** From this many days a time without a date is a date rather than a duration: no duration is longer than a year. */
const maxDurationDays = 366
/** The last day of spreadsheets, 9999-12-31. */
const maxSerial = 2_958_465
/** Days between the two calendars of spreadsheets. */
const days1904 = 1_462

const pad = (number: number): string => String(number).padStart(2, '0')
const clockText = (seconds: number): string =>
  `${pad(Math.floor(seconds / 3_600))}:${pad(Math.floor((seconds % 3_600) / 60))}:${pad(seconds % 60)}`

/** The date of a day number. Spreadsheets count 1900-02-29, which did not exist, so days before it are off by one. */
function dateText(serial: number): string {
  if (serial === 60) return '1900-02-29'
  const epoch = serial >= 1 && serial < 60 ? 31 : 30
  return new Date(Date.UTC(1899, 11, epoch + serial)).toISOString().slice(0, 10)
}

/**
 * A day number as text: `yyyy-MM-dd`, `yyyy-MM-dd HH:mm:ss`, or `HH:mm:ss` for times and durations, which may exceed 24 hours.
 * Rounded to the nearest second, since fractions of a day are rarely exact.
 */
function momentText(value: number, { isTime, hasTime, is1904 }: { isTime: boolean; hasTime: boolean; is1904: boolean }): string {
  if (Math.abs(value) > maxSerial + 1) return unshowable
  const seconds = Math.round(value * secondsPerDay)
  const isDuration = isTime ? Math.abs(value) < maxDurationDays : value >= 0 && value < 1 && !is1904
  if (isDuration) return `${seconds < 0 ? '-' : ''}${clockText(Math.abs(seconds))}`
  const serial = Math.floor(seconds / secondsPerDay)
  const rest = seconds - serial * secondsPerDay
  const date = dateText(is1904 ? serial + days1904 : serial)
  return rest === 0 && !hasTime ? date : `${date} ${clockText(rest)}`
}

/**
 * The date in a cell of kind `d`, rounded to the second. Some writers add a zone although cells are always in local time: it is
 * dropped.
 */
function isoText(text: string): string {
  const [, date, time, fraction] =
    /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d)?)?(\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$/.exec(text.trim()) ?? []
  if (date === undefined && time === undefined) return text
  const moment = new Date(`${date ?? '1970-01-01'}T${time ?? '00:00'}Z`)
  if (Number.isNaN(moment.getTime())) return text
  if (Number(fraction ?? 0) >= 0.5) moment.setTime(moment.getTime() + 1_000)
  const [day, clock] = moment.toISOString().slice(0, 19).split('T') as [string, string]
  if (date === undefined) return clock
  return time === undefined || clock === '00:00:00' ? day : `${day} ${clock}`
}

/**
 * A number without a format. If it has more digits than a spreadsheet keeps, the last ones are lost, so it is shown in
 * scientific notation. Digits after the fifteenth of a fraction are binary artefacts, as in 0.1 + 0.2.
 */
function numberText(kept: string): string {
  const number = Number(kept)
  if (!Number.isFinite(number)) return kept
  if (Math.abs(number) > maxKept) return number.toExponential(5).replace(/\.?0*e/, 'E')
  const digits = kept.replace(/E.*$/i, '').replace(/\D/g, '').replace(/^0+/, '').length
  if (/E/i.test(kept)) return String(number)
  if (digits > keptDigits) return String(Number(number.toPrecision(keptDigits)))
  return Number.isInteger(number) ? kept.replace(/\.0*$/, '') : kept
}

type Writer = (kept: string) => string

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** The sign or code of a currency other than the dollar in the texts of a format, `€` in `[$€-407] 0.00`; null without one. */
function otherCurrency(pattern: string): string | null {
  const texts = (pattern.match(/"[^"]*"|\[\$[^\]-]*/g) ?? []).join(' ')
  const named = texts.match(/(?!\$)\p{Sc}|(?<!\p{L})[A-Z]{3}(?!\p{L})/gu) ?? []
  return named.find((each) => each.length === 1 || (currencies.has(each) && each !== 'USD')) ?? null
}

/** How numbers of a format are written. Formats that only round or group digits do not change the value used. */
function writerOf(pattern: string, is1904: boolean): Writer {
  const { type, isDate, maxDecimals } = getFormatInfo(pattern)
  if (isDate) {
    const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern)
    const isTime = type === 'time' || !(year || month || day)
    const hasTime = Boolean(hours || minutes || seconds)
    return (kept) => {
      const value = Number(kept)
      return Number.isFinite(value) ? momentText(value, { isTime, hasTime, is1904 }) : kept
    }
  }
  // As in a .csv, so that no amount of another currency is read as dollars.
  const currency = maxDecimals > 0 || type === 'grouped' ? otherCurrency(pattern) : null
  if (currency) return (kept) => `${currency} ${numberText(kept)}`
  const asShown: Writer = (kept) => {
    try {
      const text = format(pattern, Number(kept)).trim()
      return /\d/.test(text) ? text : numberText(kept)
    } catch {
      return numberText(kept)
    }
  }
  if (type === 'percent' || type === 'scientific') return asShown
  if (type !== 'number' || maxDecimals > 0) return numberText
  // Digits and punctuation of a code, such as 00000 or 000-00-0000: the code is what the cell shows.
  return (kept) => {
    const number = Number(kept)
    return Number.isInteger(number) && Math.abs(number) <= maxKept ? asShown(kept) : numberText(kept)
  }
}

const attributes = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (text: string): string =>
  text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([\da-f]+));/gi, (whole, name?: string, code?: string, hex?: string) => {
    if (name) return entities[name.toLowerCase()] ?? whole
    const point = code ? Number(code) : Number.parseInt(hex ?? '', 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
/** The attributes of each tag with a name. */
function* tagsOf(xml: string, name: string): Generator<Record<string, string>> {
  const tags = new RegExp(`<(?:[\\w.-]+:)?${name}(?=[\\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>`, 'g')
  for (const [, rest = ''] of xml.matchAll(tags))
    yield Object.fromEntries([...rest.matchAll(attributes)].map(([, key, one, other]) => [key, unescaped(one ?? other ?? '')]))
}

/** The number format of each style of a workbook, by index. */
function patternsOf(styles: string): string[] {
  const own = new Map<number, string>()
  for (const { numFmtId, formatCode } of tagsOf(styles, 'numFmt'))
    if (formatCode !== undefined) own.set(Number(numFmtId), formatCode)
  const within = (name: string): Record<string, string>[] => {
    const [part = ''] = new RegExp(`<(?:[\\w.-]+:)?${name}[\\s>][\\s\\S]*?</(?:[\\w.-]+:)?${name}\\s*>`).exec(styles) ?? []
    return [...tagsOf(part, 'xf')]
  }
  const base = within('cellStyleXfs')
  return within('cellXfs').map(({ numFmtId, xfId }) => {
    const id = Number(numFmtId ?? base[Number(xfId ?? 0)]?.['numFmtId'] ?? 0)
    return own.get(id) ?? getFormatFromId(id)
  })
}

/**
 * Creates the function that writes workbook cells as text, from the XML of the styles and of the workbook. Dates are
 * `yyyy-MM-dd`, with a time `yyyy-MM-dd HH:mm:ss`, times and durations `HH:mm:ss`; codes such as 00417 are as shown; other
 * numbers are as stored.
 */
export function cellWriter(styles: string, workbook: string): (kind: CellKind, style: number, kept: string) => string {
  const patterns = patternsOf(styles)
  const [properties = {}] = tagsOf(workbook, 'workbookPr')
  const is1904 = /^(1|true)$/.test(properties['date1904'] ?? '')
  const writers = new Map<number, Writer>()
  return (kind, style, kept) => {
    if (kind === 'b') return kept.trim() === '0' ? 'FALSE' : 'TRUE'
    if (kind === 'd') return isoText(kept)
    if (kind === 'f') return `=${kept}`
    if (kind === 'e') return kept
    const writer = writers.get(style) ?? writerOf(patterns[style] ?? 'General', is1904)
    writers.set(style, writer)
    return writer(kept.trim())
  }
}

/** A cell rewritten for a reader that only passes numbers on: kind, style and value in one text. */
const packed = (kind: CellKind, style: string, value: string): string => `${kind}${style}|${value}`

/** Splits the text of `packCells`. */
export function unpackCell(text: string): { kind: CellKind; style: number; kept: string } {
  const at = text.indexOf('|')
  return { kind: text.charAt(0) as CellKind, style: Number(text.slice(1, at)), kept: text.slice(at + 1) }
}

const formulaTag = /<(?:[\w.-]+:)?f[\s/>]/
/** Tags of cells, values and formulas, and the end of cells, which matters only in sheets with formulas. */
const tagsWithFormulas = /<(\/?)((?:[\w.-]+:)?)([cvf])(?=[\s/>])([^<]*)/g
const tagsWithoutFormulas = /<()((?:[\w.-]+:)?)([cv])(?=[\s/>])([^<]*)/g
/** The attributes of a cell for its kind and style. */
const kindAndStyle = /[\s"']([ts])\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const packedKinds = 'nbed'

/**
 * The XML of a sheet in which every cell that is not text becomes a number without a style, whose value contains kind, style
 * and value. A formula that was never calculated becomes its own text.
 */
export function packCells(sheet: string): string {
  /** Declared kind of the open cell; null outside cells. */
  let type: string | null = null
  let style = '0'
  let formula: string | null = null
  let hasValue = false
  const uncalculated = (): string =>
    type !== null && packedKinds.includes(type) ? packed('f', style, formula ?? '') : `=${formula ?? ''}`
  const tags = formulaTag.test(sheet) ? tagsWithFormulas : tagsWithoutFormulas
  return sheet.replace(tags, (tag: string, closing: string, prefix: string, name: string, rest: string) => {
    const end = rest.indexOf('>')
    const isEmpty = rest.charAt(end - 1) === '/'
    const content = rest.slice(end + 1)
    if (name === 'c') {
      if (closing) {
        const value = type !== null && formula !== null && !hasValue ? `<${prefix}v>${uncalculated()}</${prefix}v>` : ''
        type = null
        return value + tag
      }
      if (isEmpty) {
        type = null
        return tag
      }
      type = 'n'
      style = '0'
      formula = null
      hasValue = false
      const head = rest.slice(0, end).replace(kindAndStyle, (_, attribute: string, one?: string, other?: string) => {
        const value = one ?? other ?? ''
        if (attribute === 't') type = value || 'n'
        else style = value
        return ''
      })
      return packedKinds.includes(type) ? `<${prefix}c${head}${rest.slice(end)}` : tag
    }
    if (type === null || closing) return tag
    if (name === 'f') {
      formula = isEmpty ? '' : content.trim()
      return tag
    }
    if (!packedKinds.includes(type)) {
      hasValue = true
      return tag
    }
    if (content.trim() === '' || isEmpty) {
      if (formula === null) return tag
      hasValue = true
      const close = isEmpty ? `</${prefix}v>` : ''
      return `<${prefix}v>${uncalculated()}${close}`
    }
    hasValue = true
    return `<${prefix}v>${packed(type as CellKind, style, content)}`
  })
}
