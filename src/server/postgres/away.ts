import { codeOf, messageOf } from '#server/cannot-start.ts'

/**
 * Whether a prepared statement no longer fits its tables, as after a migration that adds a column to what it reads. Its name is
 * given up (`PreparingClient`), so that a retry prepares it again.
 */
export const isOutdated = (thrown: unknown): boolean => codeOf(thrown) === '0A000' && messageOf(thrown).includes('cached plan')

/** Serialization failures, deadlocks and outdated statements: retrying the transaction helps. */
export const isConflict = (thrown: unknown): boolean => ['40001', '40P01'].includes(codeOf(thrown)) || isOutdated(thrown)

/** Whether PostgreSQL takes no changes: it is a standby, or has become one. */
export const isReadOnly = (thrown: unknown): boolean => codeOf(thrown) === '25006'

const cutOffCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  // Too many connections.
  '53300',
])

/** Messages of pg for a lost connection, which have no code. */
const cutOffWords =
  /Connection terminated|Connection ended|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Query read timeout|Client was closed/

/**
 * Whether the connection to PostgreSQL was lost or refused, or leads to one that takes no changes: the outcome of a running
 * statement is unknown, and it may be retried.
 */
export const isCutOff = (thrown: unknown): boolean =>
  isReadOnly(thrown) || cutOffCodes.has(codeOf(thrown)) || codeOf(thrown).startsWith('08') || cutOffWords.test(messageOf(thrown))

/** Whether PostgreSQL cannot write: its disk is full, or the disk fails. */
export const isDiskFull = (thrown: unknown): boolean => ['53100', '58030', 'ENOSPC'].includes(codeOf(thrown))

/** Whether waiting for a lock timed out. */
export const isHeld = (thrown: unknown): boolean => codeOf(thrown) === '55P03'

/** Lock timeout, statement timeout, or out of memory. */
const busy = new Set(['55P03', '57014', '53000', '53200', '53400'])

/** Thrown when the time limit of a request is over. */
export class TooLate extends Error {}

/** Whether the failure is temporary, so that a retry may succeed. */
export const isAway = (thrown: unknown): boolean =>
  thrown instanceof TooLate || isCutOff(thrown) || isDiskFull(thrown) || isConflict(thrown) || busy.has(codeOf(thrown))
