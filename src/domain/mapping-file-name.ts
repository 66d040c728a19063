import type { MappingKind } from '#domain/mapping-fields.ts'

/** Accepted by every source (MAP-036). */
const maxPortableLength = 250
/** Accepted by some source. */
const maxFileNameLength = 256

/** Suffixes of file names by kind. */
const suffixes: Partial<Record<MappingKind, string>> = { EMPLOYEE: '_ee', TIMEKEEPING: '_tk' }
/** Also used in the sentences of the specification. */
const kindAbbreviations: Partial<Record<MappingKind, string>> = { EMPLOYEE: 'EE', TIMEKEEPING: 'TK' }

/** The parts of a file name: the text before the time stamp, the time stamp, the suffix, and the kind in lower case. */
export interface FileNameParts {
  prefix: string
  timestamp: string | null
  suffix: string
  extension: string
}

/** Splits `acme_20260105_ee.csv` into its parts. A stamp is a day, `20260105` or `2026-01-05`, optionally with a time. */
export function fileNameParts(name: string): FileNameParts {
  const dot = name.lastIndexOf('.')
  const base = dot < 0 ? name : name.slice(0, dot)
  const extension = dot < 0 ? '' : name.slice(dot + 1).toLowerCase()
  const suffix = Object.values(suffixes).find((each) => base.endsWith(each)) ?? ''
  const rest = base.slice(0, base.length - suffix.length)
  const [, prefix, timestamp] = /^(.*)_(\d{8}(?:[-T]?\d{4,6})?|\d{4}-\d{2}-\d{2}(?:[-T]?\d{4,6})?)$/.exec(rest) ?? []
  return { prefix: prefix ?? rest, timestamp: timestamp ?? null, suffix, extension }
}

/** The error in a file name (MAP-035, MAP-036, MAP-044 to MAP-052); null if it is valid. */
export function validateFileName(kind: MappingKind, name: string): string | null {
  const typed = name.trim()
  if (typed === '') return 'A file name is required.'
  if (typed.length > maxFileNameLength) return `A file name has at most ${maxFileNameLength} characters.`
  // No folders, and no names with a special meaning in file systems.
  if (/[\\/:*?"<>|\p{Cc}]/u.test(typed) || /^\.+$/.test(typed)) return 'A file name has no \\ / : * ? " < > |.'
  const { prefix, suffix, extension } = fileNameParts(typed)
  const extensions = kind === 'DEDUCTION' ? ['csv'] : ['csv', 'xlsx']
  const file = kindAbbreviations[kind] ? `${kindAbbreviations[kind]} file names` : 'File names'
  if (!extensions.includes(extension)) return `${file} must end with .${extensions.join(' or .')}.`
  const requiredSuffix = suffixes[kind]
  if (requiredSuffix && suffix !== requiredSuffix) return `${file} must end with ${requiredSuffix}.`
  if (requiredSuffix && typed.split('_').length > 3) return `${file} contain at most two underscores.`
  if (kind === 'CONFIRMATION' && suffix !== '') return `Files whose names end with ${suffix} are read as another kind.`
  return prefix === '' ? 'A file name needs a name before its ending.' : null
}

/** The warning for a valid name that not every source accepts, or not with a date (MAP-036); null if there is none. */
export function warnFileName(name: string): string | null {
  const typed = name.trim()
  if (typed.length > maxPortableLength && typed.length <= maxFileNameLength)
    return `Over ${maxPortableLength} characters: other systems may refuse this name.`
  const { timestamp, suffix } = fileNameParts(typed)
  return suffix !== '' && timestamp === null && typed.split('_').length === 3
    ? 'Files of this name arrive without a date: with one, the name would have three underscores.'
    : null
}

/** The key of all file names that one mapping reads: date and upper case make no difference. */
export const fileKeyOf = (name: string): string => fileNameParts(name.trim().normalize('NFC')).prefix.toLowerCase()

/** The kind in a file name; null if it has none. */
export function kindOfFileName(name: string): MappingKind | null {
  const { suffix } = fileNameParts(name)
  return (Object.keys(suffixes) as MappingKind[]).find((kind) => suffixes[kind] === suffix) ?? null
}

/** The name of a mapping made from this file: the file name without its time stamp. */
export function lastingFileName(name: string): string {
  const { prefix, suffix, extension } = fileNameParts(name)
  return `${prefix}${suffix}.${extension}`
}
