import { type Refusal, refuse } from '#domain/refusal.ts'

/** Maximum years between a money date and the business date: more is a typing error. */
const yearsAround = 10

const moved = (date: string, years: number): string =>
  `${String(Number(date.slice(0, 4)) + years).padStart(4, '0')}${date.slice(4)}`

/** Refuses an implausible year; both `yyyy-MM-dd`. */
export const validateYears = (date: string, today: string): Refusal | null =>
  date < moved(today, -yearsAround) || date > moved(today, yearsAround)
    ? refuse('date-invalid', `Enter a date within ${yearsAround} years of today.`)
    : null

/** Refuses a date on which a repayment cannot have been made or taken effect: after today, or years away. */
export const validatePaidOn = (date: string, today: string): Refusal | null =>
  validateYears(date, today) ?? (date > today ? refuse('date-invalid', 'The date of a repayment cannot be after today.') : null)

/** Refuses a due date before the issue date, or years away; all `yyyy-MM-dd`. */
export const validateDueDate = (date: string, facts: { issue_date: string; as_of: string }): Refusal | null =>
  validateYears(date, facts.as_of) ??
  (date < facts.issue_date ? refuse('date-invalid', 'The due date cannot be before the issue date.') : null)
