import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'
import { wholeNumber } from '#domain/text.ts'

/** What becomes of a file that arrived (D250). */
export const importStatuses = states({
  PENDING: ['Pending', 'busy'],
  PAUSED: ['Waits for a decision', 'wait'],
  SUCCESS: ['Success', 'good'],
  FAIL: ['Failed', 'bad'],
  REJECTED: ['Rejected', 'idle'],
  DUPLICATED: ['Duplicate', 'idle'],
})
export type ImportStatus = StateOf<typeof importStatuses>

/** What files that arrive are about. */
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

/** The name of an import in the history of what it changed. */
export const importText = (id: number): string => `Import ${id}`

/** ERR-040: said of a file that no mapping reads. */
export const mappingNotFound = 'File mapping not found'

/** Bytes of a file that is uploaded or mailed; a larger one comes by SFTP. */
export const largestUpload = 32 * 1024 * 1024
/** Bytes of any file. */
export const largestFile = 1024 * 1024 * 1024

/** Days for which the lines of a file are kept once it is over. */
export const importedFileDays = 90

/** Of the whole staff of an employer so many in a hundred may be missing from a file; where it is more, a person decides (rules 17). */
const maxAbsentPercent = 10

/** Lines of a file; a larger one is sent in parts. */
export const maxLines = 2_000_000
/** Lines that were not taken and are kept; more are counted. */
export const maxStoredFaults = 100_000
/** Bytes of a file from which on it keeps no smaller one waiting (D447). */
export const largeFrom = 8 * 1024 * 1024

/** What is being done with a file that is pending. */
export const importPhases = ['WAITING', 'READING', 'APPLYING'] as const

/** Whether a person has to decide about a file of the whole staff that leaves so many out. */
export const asksForDecision = (absent: number, staff: number): boolean => absent * 100 > staff * maxAbsentPercent

/**
 * Said of a file of the whole staff that waits for a decision; `hasChangedCodes` where it has lines whose code the spreadsheet
 * changed or that have none, which may be about people who seem to be missing.
 */
export const leavesOut = (absent: number, staff: number, hasChangedCodes = false): string => {
  if (absent === 0) return 'The file leaves nobody out any more.'
  const missing = `The file leaves out ${wholeNumber(absent)} of ${wholeNumber(staff)} employees, who would no longer be eligible.`
  return hasChangedCodes ? `${missing} ${mayBeInChangedCodes}` : missing
}

const mayBeInChangedCodes =
  'They may be in the rejected lines whose code is missing or was changed by a spreadsheet. Correct these lines, with the column as text, and send the file again.'

/** Whether a file waits that has lines whose code the spreadsheet changed, by what was said when it began to wait. */
export const waitsWithChangedCodes = (message: string | null): boolean => message?.endsWith(mayBeInChangedCodes) ?? false

/** Said to whom another number of missing people was shown than there is now. */
export const absentChanged = (confirmed: number, absent: number): string =>
  `The file leaves out ${wholeNumber(absent)} ${absent === 1 ? 'employee' : 'employees'} now, not ${wholeNumber(confirmed)}. Check the number again.`

/** Files of the whole staff that are looked at together, with the one that arrives. */
export const shrinkingFiles = 5

/** A file of the whole staff that was imported: lines that were accepted, and people whom it left out. */
export interface StaffFile {
  accepted: number
  absent: number
}

/**
 * What people are shown where several files in a row, the oldest first, each left out few people, and together more than a single file may
 * without a decision; null otherwise.
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

/** Shown for a file of which no line was accepted. Such a file fails and changes nothing. */
export const nothingAccepted = (lines: number): string =>
  lines === 0
    ? 'The file has no lines below its header, so nothing was imported. Check the export, and send the file again.'
    : `${lines === 1 ? 'The only line' : `All ${wholeNumber(lines)} lines`} of the file ${lines === 1 ? 'was' : 'were'} rejected, so nothing was imported. Correct the rejected lines, and send the file again.`

/** Shown for a mail of a known sender of which something was not imported. */
export const nothingToImport = (why: string): string => `Nothing to import. ${why}`

/** Lines of a file of employees that were taken and changed nothing: they say what is known, or of somebody unknown that they left. */
export const leftAlone = (one: { accepted: number; created: number; changed: number; absent: number }): number =>
  one.accepted - one.created - (one.changed - one.absent)

/** What a file of employees did to one of them. */
export const importEffects = states({
  CREATED: ['Created', 'good'],
  CHANGED: ['Changed', 'idle'],
  ENDED: ['Ended', 'bad'],
})
export type ImportEffect = StateOf<typeof importEffects>

/** What undoing an import did with one of its people: SKIPPED was changed since, and stays as it is. */
export const importUndos = ['UNDONE', 'SKIPPED'] as const

/** Days within which an import can be undone: files arrive at night, and are noticed by the customer at the next payday. */
export const undoImportDays = 7
/** Maximum number of people of an import that is undone: more take longer than a request may. */
export const maxUndonePeople = 10_000

/** What an undo reads of an import. */
export interface UndoFacts {
  kind: string
  status: string
  lists_people: boolean
  created: number
  changed: number
  /** The next file of employees that was imported for the employer; null for none. */
  followed_by: number | null
  /** When it was imported. */
  finished_at: string | Date | null
}

/** Refuses to undo what is no applied file of employees, and one that is too old, too large, or followed by another one. */
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

/** Shown for an import that was undone, with the numbers of people. */
export const importUndone = (undone: number, skipped: number): string =>
  `Undone for ${wholeNumber(undone)} ${undone === 1 ? 'employee' : 'employees'}.${
    skipped === 0
      ? ''
      : ` ${wholeNumber(skipped)} ${skipped === 1 ? 'was' : 'were'} changed since and ${skipped === 1 ? 'stays' : 'stay'}: the list of people names them.`
  }`

/** Refuses to import corrected lines of a file that has no rejected ones, or whose kind does not allow for parts of a file. */
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

/** What the rules below read of an import. */
export interface ImportFacts {
  status: string
  /** A newer file of the same name was imported meanwhile. */
  outdated: boolean
}

/** An import that waits for answers to its questions. */
export interface AskedFacts extends ImportFacts {
  questions: readonly unknown[]
}

const noDecision = (): Refusal => refuse('import-not-held', 'No decision is waited for.')

/** Refuses to import a file that leaves many out: one that nobody has to decide about, or that a newer one came after. */
export const canApplyImport = ({ status, outdated, questions }: AskedFacts): Refusal | null =>
  status !== 'PAUSED'
    ? noDecision()
    : questions.length > 0
      ? refuse('status-forbids', 'Answer the question about the file first.')
      : outdated
        ? refuse('import-outdated', 'A newer file of this name has been imported since. Reject this one.')
        : null

/** Refuses an answer to a file that asks nothing, or that a newer one came after. */
export const canAnswerImport = ({ status, outdated, questions }: AskedFacts): Refusal | null =>
  status !== 'PAUSED' || questions.length === 0
    ? refuse('import-not-held', 'The file has no open question.')
    : outdated
      ? refuse('import-outdated', 'A newer file of this name has been imported since. Reject this one.')
      : null

/** Refuses to reject a file that is over; one that is still being imported is stopped, one that failed is waited for no longer. */
export const canRejectImport = ({ status }: ImportFacts): Refusal | null =>
  status === 'PENDING' || status === 'PAUSED' || status === 'FAIL' ? null : noDecision()

/** Whether a file failed since no mapping reads it. */
export const lacksMapping = ({ status, message }: { status: string; message: string | null }): boolean =>
  status === 'FAIL' && message === mappingNotFound

/** Refuses to take a file again that was taken, or that is not over: one of which nothing was done has to be sent anew, as its lines are not kept. */
export const canImportAgain = ({ status }: Pick<ImportFacts, 'status'>): Refusal | null =>
  status === 'FAIL' || status === 'REJECTED'
    ? null
    : refuse('status-forbids', 'Only a file that failed or was rejected is imported again.')

/** What a file says of somebody (D252). */
export const fileStatuses = ['ACTIVE', 'INELIGIBLE', 'TERMINATED', 'UNKNOWN'] as const
export type FileStatus = (typeof fileStatuses)[number]
export const fileStatusLabels: Readonly<Record<FileStatus, string>> = {
  ACTIVE: 'Active',
  INELIGIBLE: 'Not eligible',
  TERMINATED: 'Terminated',
  UNKNOWN: 'Unknown',
}

/** The words for each that customers' systems write, in small letters. */
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

/** A status as it is compared: case, blanks, hyphens and underscores make no difference. */
export const plainStatus = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')

/** A status of a customer's files, and what the mapping says that it means. */
export interface StatusMapping {
  value: string
  means: FileStatus
}

/**
 * What the text of a status column says; null where nobody mapped it. The mapping decides, then the values that the integration names
 * as ending somebody (`terminated`), then the words that customers' systems usually write.
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
  // Where the integration names what ends somebody, nothing else does.
  return found === 'TERMINATED' && terminated.length > 0 ? null : (found ?? null)
}

/** A name in one cell as its parts: `Barnes, Sadia` or `Sadia Barnes`. */
export function namesIn(full: string): { first_name: string; last_name: string } | null {
  const [last, first] = full.split(',').map((part) => part.trim())
  if (last && first) return { first_name: first, last_name: last }
  const parts = full.trim().split(/\s+/)
  return parts.length < 2 ? null : { first_name: parts.slice(0, -1).join(' '), last_name: parts.at(-1) as string }
}
