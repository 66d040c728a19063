import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'

/** What stands before what somebody reads off, an id, a number or an e-mail address: `employee id 100171`, `phone 0163`. */
const kindOfValue =
  /^(?:call|caller|cell|e-?mail|id|mobile|no\.?|number|phone|tel)(?: (?:address|id|no\.?|number))?:? (?=\(?\+?\S*[\d@])/i

/** What people say for what has another name here: many of a noun, a status, and what is left to be done or is asked of somebody. */
const saidOtherwise: readonly (readonly [string, string])[] = [
  ['bills', 'invoices'],
  ['payments', 'repayments'],
  ['workers', 'employees'],
  ['companies', 'employers'],
  ['timesheets?|hours|shifts', 'time entries'],
  ['unlinked|not linked|without (?:an? )?(?:account|app|link|user)', 'user-link no'],
  ['(?:kyc|identity checks?) pending|pending (?:kyc|identity checks?)', 'kyc under review'],
  ['bounced', 'failed'],
  ['inactive', 'not active'],
  ['(pending|approved|rejected) timekeeping|timekeeping (pending|approved|rejected)', '$1$2 time entries'],
  ['(\\w+ly) pay', '$1'],
  ['(.+) to confirm', 'waiting confirmation $1'],
  ['((?!invoices).+) to approve', 'pending $1'],
  ['who (?:can|may) see (.+)', 'explain access to $1'],
  ['can (.+?) see .*', 'see $1'],
  ['who owes (?:us )?(?:the )?most|(?:largest|biggest|top) debtors?', 'largest open invoices'],
  ['most overdue|longest overdue', 'oldest overdue'],
]

/** The text as it is said here; null where it is. */
export function withOwnWords(text: string): string | null {
  const named = saidOtherwise.reduce((said, [other, own]) => said.replace(RegExp(`(?<!\\S)(?:${other})(?!\\S)`, 'i'), own), text)
  return named === text ? null : named
}

/** The text without the words that only say what kind of thing was read off; null where there are none. */
export function withoutKind(text: string, entities: readonly AnyEntity[]): string | null {
  const [first = ''] = text.split(' ', 1)
  const noun = entities.some(({ one }) => fold(one) === fold(first)) ? `${first} ` : ''
  const value = text.slice(noun.length)
  return kindOfValue.test(value) ? noun + value.replace(kindOfValue, '') : null
}
