import { required } from '#contract/fields.ts'
import type { Problem } from '#contract/problem.ts'
import type { ProblemCode } from '#contract/problem-codes.ts'

/** Thrown anywhere below `handle.ts` to answer with a problem document. */
export class Refused extends Error {
  readonly status: number
  readonly code: ProblemCode
  readonly detail: string
  readonly extra: Partial<Pick<Problem, 'errors' | 'facts' | 'retry_after'>>

  constructor(status: number, code: ProblemCode, detail: string, extra: Refused['extra'] = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.detail = detail
    this.extra = extra
  }
}

/** The answer to invalid fields. Its detail names the missing field, for clients that read nothing else. */
export function invalid(errors: NonNullable<Problem['errors']>): Refused {
  const [first] = errors
  const detail = first?.message === required && first.path ? `${first.path}: ${required}` : first?.message
  return new Refused(422, 'validation-failed', detail ?? 'Something in this request is not right.', { errors })
}

/** The answer for a record that does not exist or is not open to the person, without saying which (docs/rules/access.md). */
export const notFound = (): Refused => new Refused(404, 'not-found', "This record doesn't exist, or you don't have access to it.")

/** A record that was read; throws 404 instead of answering null. */
export function existing<Row>(row: Row | null | undefined): Row {
  if (row === null || row === undefined) throw notFound()
  return row
}

/** A read of one record that throws 404 instead of answering null. */
export const orNotFound =
  <Args extends unknown[], Row>(read: (...args: Args) => Promise<Row | null | undefined>) =>
  async (...args: Args): Promise<Row> =>
    existing(await read(...args))

/** The answer to a change of money without the versions that the person saw; `field` is the field that carries them. */
export const versionRequired = (field: string, extra: Refused['extra'] = {}): Refused => {
  const detail = 'Send the version that you saw of everything that this changes, so that nothing is overwritten unseen.'
  return new Refused(428, 'version-required', detail, { errors: [{ path: field, message: detail }], ...extra })
}

/** The answer to a change of money without an idempotency key. */
export const keyRequired = (): Refused =>
  new Refused(
    400,
    'idempotency-key-required',
    'A change of money needs the header Idempotency-Key, so that it happens once even if it is sent twice.',
  )
