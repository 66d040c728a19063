import type { MappingKind } from '#domain/mapping-fields.ts'

/** What every source allows (MAP-036). */
const surelyTaken = 250
/** What one of them allows. */
export const maxFileNameLength = 256

/** How the names of the files of a kind end. */
const suffixes: Partial<Record<MappingKind, string>> = { EMPLOYEE: '_ee', TIMEKEEPING: '_tk' }
/** Also in the words of the specification. */
const short: Partial<Record<MappingKind, string>> = { EMPLOYEE: 'EE', TIMEKEEPING: 'TK' }

/** The parts of a file name: what stands before the time stamp, that, how it ends, and its kind in lower case. */
export interface FileNameParts {
  prefix: string
  timestamp: string | null
  suffix: string
  extension: string
}

/** `acme_20260105_ee.csv` as its parts. A stamp is a day, `20260105` or `2026-01-05`, or a day and a time of it. */
export function fileNameParts(name: string): FileNameParts {
  const dot = name.lastIndexOf('.')
  const base = dot < 0 ? name : name.slice(0, dot)
  const extension = dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
  const suffix = Object.values(suffixes).find((each) => base.endsWith(each)) ?? ''
  const rest = base.slice(0, base.length - suffix.length)
  const [, prefix, timestamp] = /^(.*)_(\d{8}(?:[-T]?\d{4,6})?|\d{4}-\d{2}-\d{2}(?:[-T]?\d{4,6})?)$/.exec(rest) ?? []
  return { prefix: prefix ?? rest, timestamp: timestamp ?? null, suffix, extension }
}

/** What is wrong with the name of a file (MAP-035, MAP-036, MAP-044 to MAP-052); null where nothing is. */
export function validateFileName(kind: MappingKind, name: string): string | null {
  const typed = name.trim()
  if (typed === '') return 'A file name is required.'
  if (typed.length > maxFileNameLength) return `A file name has at most ${maxFileNameLength} characters.`
  // No folder, no name that a file system takes for something else.
  if (/[\\/:*?"<>|\p{Cc}]/u.test(typed) || /^\.+$/.test(typed)) return 'A file name has no \\ / : * ? " < > |.'
  const { prefix, suffix, extension } = fileNameParts(typed)
  const taken = kind === 'DEDUCTION' ? ['csv'] : ['csv', 'xlsx']
  const file = short[kind] ? `${short[kind]} file names` : 'File names'
  if (!taken.includes(extension)) return `${file} must end with .${taken.join(' or .')}.`
  const wanted = suffixes[kind]
  if (wanted && suffix !== wanted) return `${file} must end with ${wanted}.`
  if (wanted && typed.split('_').length > 3) return `${file} contain at most two underscores.`
  if (kind === 'CONFIRMATION' && suffix !== '') return `Files whose names end with ${suffix} are read as another kind.`
  return prefix === '' ? 'A file name needs a name before its ending.' : null
}

/** What a person is told of a name that is taken, but not by every reader, or not with a date (MAP-036); null where there is nothing to say. */
export function warnFileName(name: string): string | null {
  const typed = name.trim()
  if (typed.length > surelyTaken && typed.length <= maxFileNameLength)
    return `Over ${surelyTaken} characters: other systems may refuse this name.`
  const { timestamp, suffix } = fileNameParts(typed)
  return suffix !== '' && timestamp === null && typed.split('_').length === 3
    ? 'Files of this name arrive without a date: with one, the name would have three underscores.'
    : null
}

/** What the names of files have in common that one mapping reads: the date and upper case make no difference. */
export const fileKeyOf = (name: string): string => fileNameParts(name.trim().normalize('NFC')).prefix.toLowerCase()

/** The kind that a name speaks of; null where it does not say. */
export function kindOfFileName(name: string): MappingKind | null {
  const { suffix } = fileNameParts(name)
  return (Object.keys(suffixes) as MappingKind[]).find((kind) => suffixes[kind] === suffix) ?? null
}

/** The name that a mapping made from this file has: the same, without its time stamp. */
export function lastingFileName(name: string): string {
  const { prefix, suffix, extension } = fileNameParts(name)
  return `${prefix}${suffix}.${extension}`
}
