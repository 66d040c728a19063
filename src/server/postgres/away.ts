import { codeOf, messageOf } from '#server/cannot-start.ts'

/** PostgreSQL's ways to say that two transactions got in each other's way: doing it again helps. */
export const isConflict = (thrown: unknown): boolean => ['40001', '40P01'].includes(codeOf(thrown))

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
  // No connection is left for us.
  '53300',
])

/** What pg says of a connection that is gone, without a code. */
const cutOffWords =
  /Connection terminated|Connection ended|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Query read timeout|Client was closed/

/** Whether the connection to PostgreSQL is gone or was never there: what was under way is unknown, and may be asked again. */
export const isCutOff = (thrown: unknown): boolean =>
  cutOffCodes.has(codeOf(thrown)) || codeOf(thrown).startsWith('08') || cutOffWords.test(messageOf(thrown))

/** Whether PostgreSQL has nothing left to write on: its disk is full, or the disk fails. */
export const isDiskFull = (thrown: unknown): boolean => ['53100', '58030', 'ENOSPC'].includes(codeOf(thrown))

/** Whether it waited too long for what somebody else is changing. */
export const isHeld = (thrown: unknown): boolean => codeOf(thrown) === '55P03'

/** Waited too long for a lock, or took longer than a statement may; out of memory. */
const busy = new Set(['55P03', '57014', '53000', '53200', '53400'])

/** Thrown where the time that a request may take is over. */
export class TooLate extends Error {}

/** Whether the database cannot do it now, and may in a moment. */
export const isAway = (thrown: unknown): boolean =>
  thrown instanceof TooLate || isCutOff(thrown) || isDiskFull(thrown) || isConflict(thrown) || busy.has(codeOf(thrown))
