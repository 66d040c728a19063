import type { AnyEntity } from '#kernel/entity.ts'
import { fold } from '#kernel/fold.ts'

/** Words before an id, a number or an e-mail address that is read aloud: `employee id 100171`, `phone 0163`. */
const kindWords =
  /^(?:call|caller|cell|e-?mail|id|mobile|no\.?|number|phone|tel)(?: (?:address|id|no\.?|number))?:? (?=\(?\+?\S*[\d@])/i

/** Verbs in questions about who did something. */
const changeVerbs =
  'activated|added|allocated|approved|changed|closed|confirmed|created|deactivated|deleted|did|dismissed|edited|linked|made|paused|recorded|refunded|rejected|removed|reopened|resumed|reversed|suggested|terminated|touched|unlinked|unpaused|updated|wrote off'

/** Synonyms: for nouns, statuses, and what is due or open. */
const synonyms: readonly (readonly [string, string])[] = [
  ['bills', 'invoices'],
  ['payments', 'repayments'],
  ['pmts?', 'repayments'],
  ['(account|acct) mgrs?|acct managers?', 'account manager'],
  ['workers', 'employees'],
  ['un(?:block|freeze|suspend)(?: account)?', 'unpause'],
  ['^(?:e-?mail|mail|re-?send) (invoice.*)', 'send $1'],
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
  ["(last|this|next) (week|month|quarter|year)['’]?s", '$1 $2'],
  ['(overdue|past due|late) (\\d{1,3}\\+)(?! days)', '$1 $2 days'],
  ['(\\d{1,3}\\+) (overdue|past due|late)', '$1 days $2'],
  [`who (?:has |have )?(?:${changeVerbs}) (?!(?:it|this|what)$)(.+)`, 'history $1'],
  ['^(?:activity|changes|what (?:happened|changed))(?: (?:by|for|of|to|in|with))? (.+)', 'history $1'],
  ['(.+) (?:activity|changes)$', 'history $1'],
  ['^(?:what (?:changed|happened)|who changed what)$', 'audit'],
  ['^(?:add |change |edit |give |grant )?rights?(?: of| to)? (.+)', 'grant permission $1'],
  ['^(?:grant|give) (?!access|advance|extra|permission|transaction)(\\S+)(?: .+)?', 'grant permission $1'],
  ['^(?:disable|block) (?:the )?(?:log-?in|sign-?in)', 'revoke login'],
  ['^(?!export)(.+) (?:csv|excel|spreadsheet)$', 'export $1'],
  ['who (?:can|may) see (.+)', 'explain access to $1'],
  ['can (.+?) see .*', 'see $1'],
  ['who owes (?:us )?(?:the )?most|(?:largest|biggest|top) debtors?', 'largest open invoices'],
  ['most overdue|longest overdue', 'oldest overdue'],
]

/** The text with the portal's own terms; null if it has no synonym. */
export function withOwnWords(text: string): string | null {
  const named = synonyms.reduce((result, [other, own]) => result.replace(RegExp(`(?<!\\S)(?:${other})(?!\\S)`, 'i'), own), text)
  return named === text ? null : named
}

/** The text without words for the kind of value; null if there are none. */
export function withoutKind(text: string, entities: readonly AnyEntity[]): string | null {
  const [first = ''] = text.split(' ', 1)
  const noun = entities.some(({ one }) => fold(one) === fold(first)) ? `${first} ` : ''
  const value = text.slice(noun.length)
  return kindWords.test(value) ? noun + value.replace(kindWords, '') : null
}
