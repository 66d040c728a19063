/**
 * The permissions of each call by docs/rules/access.md; the first matching line counts. `1&2` needs both, `1|2` one of them,
 * which may depend on the record. Written independently of the contract, to compare it with.
 */
const lines: readonly (readonly [RegExp, string])[] = [
  [/^(GET \/credentials|POST \/auth(\/(?!logout).+)?|POST \/\{userId\}\/(mfa|recovery-code))$/, 'application key'],
  // Mailed links, mails themselves, and the accounts of the demo on this machine.
  [/^(POST \/users\/confirm-email|POST \/imports\/mail|GET \/demo\/accounts)$/, 'application key'],
  [/^(GET \/me|GET \/customer-success-managers.*|GET \/mappings\/vendors|GET \/integrations\/metadata|POST \/auth\/logout)$/, ''],
  [/^shared-view\./, '1024'],
  // Personal endpoints; their contents are checked separately.
  [/^GET \/shared-views$/, ''],
  [/^(\w+ \/(sessions|runs|exports|views|search)\b.*|(session|views)\..+)$/, ''],
  // Like the records of the events.
  [/^GET \/audit-events\b/, ''],
  // Like the record: billing, employees, employers, organizations, transactions.
  [/^(GET \/notes\b|note\.)/, '1|2|3|4|7'],
  [/^GET \/dashboard\/summary$/, '1|2|3|7|1020'],
  [/^GET \/permissions$/, '1017|1018|1019'],
  [/^GET \/admins\b/, '1017'],
  [/^admin\./, '1018'],
  [/^GET \/account-managers\/\{id\}\/history$/, '1017|1019'],
  [/^GET \/account-managers\b/, '3|4'],
  [/^account-manager\./, '1019'],
  [/^GET \/employers\/\{id\}\/invoices\b/, '1'],
  [/^GET \/employers\/\{id\}\/timekeeping$/, '6'],
  [/^GET \/(employers\/\{id\}\/mappings\b|employers\/\{employerId\}\/configurations)/, '3|4'],
  [/^GET \/(employers|employer-additional-info|communications)\b/, '3'],
  [/^(employer|communication)\./, '1002'],
  [/^GET \/(invoices|repayments|write-offs|deductions(?!\/configurations)|bank-results|billing-accounts)\b/, '1'],
  [/^GET \/employees\/\{id\}\/(invoices\b|.+\/invoice-details$)/, '1&2'],
  [/^GET \/timekeeping\b/, '6'],
  [/^time-entry\./, '6&10'],
  [/^GET \/organizations\/paygroups\b/, '3|4'],
  [/^GET \/organizations\b/, '4'],
  [/^organization\./, '1003'],
  [/^paygroup\./, '1016'],
  // Earned, taken and pending amounts are a balance.
  [/^GET \/configurations\/example$/, '2&15'],
  [/^GET \/(configurations|deductions\/configurations)\b/, '3|4'],
  [/^configuration\./, '1002|1003'],
  // The bank result decides whether a window has to be overridden, too.
  [/^bank-result\.(book|replace)$/, '1001|1022'],
  [/^repayment\.return$/, '1001'],
  [/^repayment\.return-late$/, '1001&1022'],
  [/^(deduction-configuration|invoice|repayment|deduction|bank-result|billing-account)\./, '1001'],
  [/^write-off\./, '1008'],
  [/^GET \/imports\/\{id\}\/rejected-lines\b/, '1020&2&8'],
  [/^GET \/imports\/\{id\}\/people\b/, '1020&2'],
  [/^POST \/mappings\/preview$/, '1020&2'],
  [/^(GET \/imports\b|import\.)/, '1020'],
  [/^GET \/(mappings|integrations|data-emails|sftp-users)\b/, '3|4'],
  [/^(mapping|integration|data-email|sftp-user)\./, '1020'],
  [/^GET \/employees\/\{id\}\/work-period-balances$/, '15'],
  [/^GET \/(employees|users|linked-accounts)\b/, '2'],
  [/^employee\.pause$/, '9'],
  [/^employee\.resume$/, '9&1013'],
  [/^employee\.change-pay$/, '98&1006'],
  [/^employee\.terminate-off-cycle$/, '18'],
  [/^employee\.unlink$/, '1011|1012'],
  [/^employee\.additional-transaction$/, '15&1014'],
  [/^employee\.adjust-balance$/, '15&16'],
  [/^GET \/transactions\b/, '7'],
  [/^user\.(force|cancel)-password-change$/, '1009|1010'],
  [/^user\.delete$/, '1015'],
  [/^(user|bank-account|card)\./, '1021'],
]

/**
 * The alternative sets of permissions for a call, `GET /employees` or the id of an intent: one empty set if a session is enough,
 * none if the call is public. Throws for a call without a rule.
 */
export function neededFor(call: string): number[][] {
  const found = lines.find(([pattern]) => pattern.test(call))
  if (!found) throw new Error(`No rule says who may ${call}: add it to tests/support/needed.ts, from docs/rules/access.md.`)
  const [, needs] = found
  if (needs === 'application key') return []
  return needs.split('|').map((every) => (every === '' ? [] : every.split('&').map(Number)))
}

/** Whether these permissions are enough, without knowing the record. */
export const isEnough = (call: string, held: ReadonlySet<number>): boolean => {
  const needed = neededFor(call)
  return needed.length === 0 || needed.some((every) => every.every((id) => held.has(id)))
}

/** The groups of docs/rules/access.md, by id; 1 holds everything. */
export const groupsOfRules: Readonly<Record<number, readonly number[] | 'everything'>> = {
  1: 'everything',
  2: [2, 3, 6, 10],
  3: [2, 3, 4, 6, 9, 15],
  4: [1, 2, 3, 5, 6, 7, 8, 15, 16, 17, 18],
}
