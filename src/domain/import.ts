import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'
import { wholeNumber } from '#domain/text.ts'

/** Statuses of a file that arrived. */
export const importStatuses = states({
  PENDING: ['Pending', 'busy'],
  PAUSED: ['Waits for a decision', 'wait'],
  SUCCESS: ['Success', 'good'],
  FAIL: ['Failed', 'bad'],
  REJECTED: ['Rejected', 'idle'],
  DUPLICATED: ['Duplicate', 'idle'],
})
export type ImportStatus = StateOf<typeof importStatuses>

/** Kinds of arriving files. */
export const importKinds = ['EMPLOYEE', 'TIMEKEEPING', 'CONFIRMATION'] as const
export type ImportKind = (typeof importKinds)[number]
export const importKindLabels: Readonly<Record<ImportKind, string>> = {
  EMPLOYEE: 'Eligible employees',
  TIMEKEEPING: 'Timekeeping',
  CONFIRMATION: 'Confirmations',
}

/** How files arrive. */
export const importSources = ['UPLOAD', 'SFTP', 'EMAIL'] as const
export type ImportSource = (typeof importSources)[number]
export const importSourceLabels: Readonly<Record<ImportSource, string>> = { UPLOAD: 'Upload', SFTP: 'SFTP', EMAIL: 'E-mail' }

/** Name of an import in the history of the records it changed. */
export const importText = (id: number): string => `Import ${id}`

/** ERR-040: message for a file without a mapping. */
export const mappingNotFound = 'File mapping not found'

/** Maximum size of an uploaded or mailed file in bytes; larger ones must come by SFTP. */
export const largestUpload = 32 * 1024 * 1024
/** Maximum size of any file in bytes. */
export const largestFile = 1024 * 1024 * 1024

/** Days for which the lines of a completed file are kept. */
export const importedFileDays = 90

/**
 * Maximum percentage of an employer's staff that may be missing from a file of the whole staff; above it a person decides
 * (docs/rules/imports.md).
 */
const maxAbsentPercent = 10

/** Maximum number of lines of a file; larger ones must be split. */
export const maxLines = 2_000_000
/** Maximum number of rejected lines that are stored; the rest are only counted. */
export const maxStoredFaults = 100_000
/** Size in bytes from which a file no longer makes smaller ones wait. */
export const largeFrom = 8 * 1024 * 1024
/** Lanes for small files, and for those that may take minutes: each imports one file at a time, and neither delays the other. */
export const fileLanes = ['small', 'large'] as const
export type FileLane = (typeof fileLanes)[number]
/** The lane of a file of `size` bytes. */
export const laneOf = (size: number): FileLane => (size < largeFrom ? 'small' : 'large')

/** Progress of a pending file. */
export const importPhases = ['WAITING', 'READING', 'APPLYING'] as const

/** Whether a person has to decide about a file of the whole staff because too many are missing. */
export const asksForDecision = (absent: number, staff: number): boolean => absent * 100 > staff * maxAbsentPercent

/**
 * Message for a file of the whole staff that waits for a decision; `hasChangedCodes` if some lines have no code or one that the
 * spreadsheet changed, which may be about people who seem to be missing.
 */
export const leavesOut = (absent: number, staff: number, hasChangedCodes = false): string => {
  if (absent === 0) return 'The file leaves nobody out any more.'
  const missing = `The file leaves out ${wholeNumber(absent)} of ${wholeNumber(staff)} employees, who would no longer be eligible.`
  return hasChangedCodes ? `${missing} ${mayBeInChangedCodes}` : missing
}

const mayBeInChangedCodes =
  'They may be in the rejected lines whose code is missing or was changed by a spreadsheet. Correct these lines, with the column as text, and send the file again.'

/** Whether a waiting file has lines with changed codes, by the message it was given when it began to wait. */
export const waitsWithChangedCodes = (message: string | null): boolean => message?.endsWith(mayBeInChangedCodes) ?? false

/** Message if the number of missing people has changed since it was shown. */
export const absentChanged = (confirmed: number, absent: number): string =>
  `The file leaves out ${wholeNumber(absent)} ${absent === 1 ? 'employee' : 'employees'} now, not ${wholeNumber(confirmed)}. Check the number again.`

/** Number of consecutive files of the whole staff that are checked together. */
export const shrinkingFiles = 5

/** An imported file of the whole staff: the number of accepted lines and of missing people. */
export interface StaffFile {
  accepted: number
  absent: number
}

/**
 * Message if several consecutive files, oldest first, each left out few people, but together more than a single file may
 * without a decision; else null.
 */
export function shrinksBitByBit(files: readonly StaffFile[]): string | null {
  const [oldest] = files
  const absent = files.reduce((sum, one) => sum + one.absent, 0)
  if (!oldest || files.filter((one) => one.absent > 0).length < 2) return null
  const staff = oldest.accepted + oldest.absent
  if (!asksForDecision(absent, staff)) return null
  const counts = files.map(({ accepted }) => wholeNumber(accepted))
  return `The last ${files.length} files left out ${wholeNumber(absent)} of ${wholeNumber(staff)} employees together, though each left out few. They had ${counts.slice(0, -1).join(', ')} and ${counts.at(-1)} people. Ask the customer whether that is right.`
}

/** Message for a file without accepted lines. Such a file fails and changes nothing. */
export const nothingAccepted = (lines: number): string =>
  lines === 0
    ? 'The file has no lines below its header, so nothing was imported. Check the export, and send the file again.'
    : `${lines === 1 ? 'The only line' : `All ${wholeNumber(lines)} lines`} of the file ${lines === 1 ? 'was' : 'were'} rejected, so nothing was imported. Correct the rejected lines, and send the file again.`

/** Message for a mail of a known sender of which something was not imported. */
export const nothingToImport = (why: string): string => `Nothing to import. ${why}`

/** Accepted lines of an employee file that changed nothing: the data are known already, or an unknown person has left. */
export const leftAlone = (one: { accepted: number; created: number; changed: number; absent: number }): number =>
  one.accepted - one.created - (one.changed - one.absent)

/** Effect of an employee file on one employee. */
export const importEffects = states({
  CREATED: ['Created', 'good'],
  CHANGED: ['Changed', 'idle'],
  ENDED: ['Ended', 'bad'],
})

/** Result of undoing an import for one person: SKIPPED was changed since and stays as it is. */
export const importUndos = ['UNDONE', 'SKIPPED'] as const

/** Days within which an import can be undone: customers notice the effects of a nightly file at the next payday. */
const undoImportDays = 7
/** Maximum number of people of an import that can be undone within the duration of a request. */
const maxUndonePeople = 10_000

/** Input of the rule about undo. */
export interface UndoFacts {
  kind: string
  status: string
  lists_people: boolean
  created: number
  changed: number
  /** The next imported employee file of the employer; null for none. */
  followed_by: number | null
  /** When the import finished. */
  finished_at: string | Date | null
}

/** Refuses to undo unless it is an applied employee file that is recent and small enough and not followed by another one. */
export function canUndoImport(one: UndoFacts, now = new Date()): Refusal | null {
  const forbidden = (sentence: string) => refuse('status-forbids', sentence)
  if (one.kind !== 'EMPLOYEE')
    return forbidden('Only imports of employees are undone. Correct hours and confirmations with another file.')
  if (one.status !== 'SUCCESS') return forbidden('Only a file that was imported can be undone.')
  if (one.created + one.changed === 0) return forbidden('This import changed nobody.')
  const age = now.getTime() - new Date(one.finished_at ?? 0).getTime()
  if (!one.lists_people || age > undoImportDays * 24 * 3_600_000)
    return forbidden(`An import can be undone for ${undoImportDays} days.`)
  if (one.followed_by !== null)
    return forbidden(`Import ${one.followed_by} of this employer came after this one. Undo that one first.`)
  return one.created + one.changed > maxUndonePeople
    ? forbidden(
        `This import changed over ${wholeNumber(maxUndonePeople)} people, too many to undo at once. Import a corrected file.`,
      )
    : null
}

/** Message for an undone import, with the numbers of people. */
export const importUndone = (undone: number, skipped: number): string =>
  `Undone for ${wholeNumber(undone)} ${undone === 1 ? 'employee' : 'employees'}.${
    skipped === 0
      ? ''
      : ` ${wholeNumber(skipped)} ${skipped === 1 ? 'was' : 'were'} changed since and ${skipped === 1 ? 'stays' : 'stay'}: the list of people names them.`
  }`

/** Refuses to import corrected lines of a file that has no rejected ones, or whose kind does not allow partial files. */
export function canMendImport(one: {
  kind: string
  status: string
  rejected: number
  employer_id: number | null
}): Refusal | null {
  const forbidden = (sentence: string) => refuse('status-forbids', sentence)
  if (one.kind !== 'EMPLOYEE')
    return forbidden('Only lines of employee files are imported alone. Send all lines of the days again.')
  if ((one.status !== 'SUCCESS' && one.status !== 'FAIL') || one.rejected === 0 || one.employer_id === null)
    return forbidden('No line of this file was rejected.')
  return null
}

/** Input of the rules below. */
export interface ImportFacts {
  status: string
  /** A newer file of the same name has been imported. */
  outdated: boolean
}

/** An import that waits for answers to its questions. */
export interface AskedFacts extends ImportFacts {
  questions: readonly unknown[]
}

const noDecision = (): Refusal => refuse('import-not-held', 'No decision is waited for.')

/** Refuses to import a file that leaves many people out if no decision is pending, or if a newer file was imported. */
export const canApplyImport = ({ status, outdated, questions }: AskedFacts): Refusal | null =>
  status !== 'PAUSED'
    ? noDecision()
    : questions.length > 0
      ? refuse('status-forbids', 'Answer the question about the file first.')
      : outdated
        ? refuse('import-outdated', 'A newer file of this name has been imported since. Reject this one.')
        : null

/** Refuses an answer to a file without questions, or if a newer file was imported. */
export const canAnswerImport = ({ status, outdated, questions }: AskedFacts): Refusal | null =>
  status !== 'PAUSED' || questions.length === 0
    ? refuse('import-not-held', 'The file has no open question.')
    : outdated
      ? refuse('import-outdated', 'A newer file of this name has been imported since. Reject this one.')
      : null

/** Refuses to reject a completed file. A running import is stopped; a failed file is no longer waited for. */
export const canRejectImport = ({ status }: ImportFacts): Refusal | null =>
  status === 'PENDING' || status === 'PAUSED' || status === 'FAIL' ? null : noDecision()

/** Whether a file failed because it has no mapping. */
export const lacksMapping = ({ status, message }: { status: string; message: string | null }): boolean =>
  status === 'FAIL' && message === mappingNotFound

/**
 * Refuses to import a file again that was imported or is not over. A file that was not processed has to be sent again, as its
 * lines are not kept.
 */
export const canImportAgain = ({ status }: Pick<ImportFacts, 'status'>): Refusal | null =>
  status === 'FAIL' || status === 'REJECTED'
    ? null
    : refuse('status-forbids', 'Only a file that failed or was rejected is imported again.')

/** Status of an employee according to a file. */
export const fileStatuses = ['ACTIVE', 'INELIGIBLE', 'TERMINATED', 'UNKNOWN'] as const
export type FileStatus = (typeof fileStatuses)[number]
export const fileStatusLabels: Readonly<Record<FileStatus, string>> = {
  ACTIVE: 'Active',
  INELIGIBLE: 'Not eligible',
  TERMINATED: 'Terminated',
  UNKNOWN: 'Unknown',
}

/** Words for each status in customers' systems, in lower case. */
const words: Readonly<Record<Exclude<FileStatus, 'UNKNOWN'>, readonly string[]>> = {
  ACTIVE: [
    'active',
    'a',
    'eligible',
    'employed',
    'e',
    'hired',
    'working',
    'full time',
    'part time',
    'regular',
    'yes',
    'y',
    'true',
    '1',
  ],
  INELIGIBLE: ['ineligible', 'not eligible', 'i', 'inactive', 'leave', 'on leave', 'loa', 'suspended', 'no', 'n', 'false', '0'],
  TERMINATED: ['terminated', 'term', 't', 'termed', 'left', 'separated', 'resigned', 'retired', 'deceased', 'dismissed', 'quit'],
}

/** Normalizes a status: case, blanks, hyphens and underscores make no difference. */
export const plainStatus = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

/** A status in a customer's files and its meaning by the mapping. */
export interface StatusMapping {
  value: string
  means: FileStatus
}

/**
 * The meaning of the text of a status column; null if it is not mapped. The mapping takes precedence, then the integration's
 * values for a termination (`terminated`), then the words that customers' systems usually write.
 */
export function fileStatusOf(
  text: string,
  terminated: readonly string[],
  mapped: readonly StatusMapping[] = [],
): FileStatus | null {
  const said = plainStatus(text)
  const mapping = mapped.find(({ value }) => plainStatus(value) === said)
  if (mapping) return mapping.means
  if (terminated.some((value) => plainStatus(value) === said)) return 'TERMINATED'
  const found = (Object.keys(words) as (keyof typeof words)[]).find((status) => words[status].includes(said))
  // If the integration lists the values for a termination, no other value is one.
  return found === 'TERMINATED' && terminated.length > 0 ? null : (found ?? null)
}

/** Splits a name in one cell: `Barnes, Sadia` or `Sadia Barnes`. */
export function namesIn(full: string): { first_name: string; last_name: string } | null {
  const [last, first] = full.split(',').map((part) => part.trim())
  if (last && first) return { first_name: first, last_name: last }
  const parts = full.trim().split(/\s+/)
  return parts.length < 2 ? null : { first_name: parts.slice(0, -1).join(' '), last_name: parts.at(-1) as string }
}
