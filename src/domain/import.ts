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

/** ERR-040: said of a file that no mapping reads. */
export const mappingNotFound = 'File mapping not found'

/** Bytes of a file that is uploaded or mailed; a larger one comes by SFTP. */
export const largestUpload = 32 * 1024 * 1024
/** Bytes of any file. */
export const largestFile = 1024 * 1024 * 1024

/** Days for which the lines of a file are kept once it is over. */
export const importedFileDays = 90

/** Of the whole staff of an employer so many in a hundred may be missing from a file; where it is more, a person decides (rules 17). */
const mostAbsentPercent = 10

/** Lines of a file; a larger one is sent in parts. */
export const mostLines = 2_000_000
/** Lines that were not taken and are kept; more are counted. */
export const mostFaultsKept = 100_000
/** Bytes of a file from which on it keeps no smaller one waiting (D447). */
export const largeFrom = 8 * 1024 * 1024

/** What is being done with a file that is pending. */
export const importPhases = ['WAITING', 'READING', 'APPLYING'] as const

/** Whether a person has to decide about a file of the whole staff that leaves so many out. */
export const asksForDecision = (absent: number, staff: number): boolean => absent * 100 > staff * mostAbsentPercent

/** Said of a file of the whole staff that waits for a decision. */
export const leavesOut = (absent: number, staff: number): string =>
  absent === 0
    ? 'The file leaves nobody out any more.'
    : `The file leaves out ${wholeNumber(absent)} of ${wholeNumber(staff)} employees, who would no longer be eligible.`

/** Said to whom another number of missing people was shown than there is now. */
export const absentChanged = (confirmed: number, absent: number): string =>
  `The file leaves out ${wholeNumber(absent)} ${absent === 1 ? 'employee' : 'employees'} now, not ${wholeNumber(confirmed)}. Check the number again.`

/** Lines of a file of employees that were taken and changed nothing: they say what is known, or of somebody unknown that they left. */
export const leftAlone = (one: { accepted: number; created: number; changed: number; absent: number }): number =>
  one.accepted - one.created - (one.changed - one.absent)

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
