import { z } from 'zod'
import { getAccountManager, listAccountManagers } from '#contract/account-managers.ts'
import { getAdmin, listAdmins } from '#contract/admins.ts'
import { getAuditEvent, listAuditEvents } from '#contract/audit-events.ts'
import { getBankResult, listBankResults } from '#contract/bank-results.ts'
import { getEmployer, listEmployers } from '#contract/employers.ts'
import { getOrganization, listOrganizations } from '#contract/organizations.ts'
import { getDeduction, listDeductions } from '#contract/deductions.ts'
import { type AnyEndpoint, endpoint } from '#contract/define.ts'
import { getEmployee, listEmployees } from '#contract/employees.ts'
import { decimal, nothing } from '#contract/fields.ts'
import { getImport, listImports } from '#contract/imports.ts'
import { getInvoice, listInvoices } from '#contract/invoices.ts'
import { commaList } from '#contract/list.ts'
import type { listings } from '#contract/listings.ts'
import { getRepayment, listRepayments } from '#contract/repayments.ts'
import { getSession, listSessions } from '#contract/sessions.ts'
import { getSftpUser, listSftpUsers } from '#contract/sftp-users.ts'
import { getTimeEntry, listTimekeeping } from '#contract/timekeeping.ts'
import { getUser, listUsers } from '#contract/users.ts'
import { getWriteOff, listWriteOffs } from '#contract/write-offs.ts'

/** The paths of `listings`, without the stroke. */
type Listed = (typeof listings)[keyof typeof listings]['path'] extends `/${infer Kind}` ? Kind : never

/**
 * What can be searched, by its path: the call that lists it, and the call that reads one. Every list has to be here; people
 * and companies stand before what is billed to them, which is their order among groups that match equally well.
 */
export const searchable = {
  employees: [listEmployees, getEmployee],
  users: [listUsers, getUser],
  employers: [listEmployers, getEmployer],
  organizations: [listOrganizations, getOrganization],
  'account-managers': [listAccountManagers, getAccountManager],
  admins: [listAdmins, getAdmin],
  invoices: [listInvoices, getInvoice],
  repayments: [listRepayments, getRepayment],
  'write-offs': [listWriteOffs, getWriteOff],
  deductions: [listDeductions, getDeduction],
  'bank-results': [listBankResults, getBankResult],
  timekeeping: [listTimekeeping, getTimeEntry],
  imports: [listImports, getImport],
  'sftp-users': [listSftpUsers, getSftpUser],
  sessions: [listSessions, getSession],
  'audit-events': [listAuditEvents, getAuditEvent],
} as const satisfies Record<Listed, readonly [AnyEndpoint, AnyEndpoint]>

export type SearchKind = keyof typeof searchable
export const searchKinds = Object.keys(searchable) as [SearchKind, ...SearchKind[]]

/** Of these the newest are found first, behind what is left to be done (`firstViewOf`): of an employer's invoices hundreds are paid. */
export const newestFirst: ReadonlySet<SearchKind> = new Set([
  'invoices',
  'repayments',
  'write-offs',
  'deductions',
  'bank-results',
])

type Part<At extends 0 | 1> = { [Kind in SearchKind]: (typeof searchable)[Kind][At]['answer'] }
const answers = <At extends 0 | 1>(at: At) =>
  z.object(Object.fromEntries(searchKinds.map((kind) => [kind, searchable[kind][at].answer])) as unknown as Part<At>).partial()

const kindAndId = z.string().regex(new RegExp(`^(${searchKinds.join('|')}):\\S{1,100}$`), 'This is not an id.')

/**
 * One call for the palette: of each kind the first rows of its list for a text, first what is left to be done of it, and of some the
 * very thing by its id. What the caller may not read is left out, as is an id that nobody has.
 */
export const search = endpoint({
  method: 'GET',
  path: '/search',
  summary: 'Things of several kinds that match a text or nearly do, and things by their ids',
  tag: 'Search',
  params: nothing,
  query: z.object({
    q: z.string().trim().max(200).default(''),
    /** Of which kinds the text is looked for. */
    kinds: commaList(z.enum(searchKinds)).optional(),
    /** Things by id, such as `employees:104233,invoices:41000`. */
    ids: commaList(kindAndId).optional(),
    /** As lists take it, for those that do. */
    include: z.string().max(200).optional(),
    limit: decimal('A whole number from 1 to 50', 1, 50).default(20),
  }),
  answer: z.object({
    lists: answers(0),
    records: answers(1),
    /** Guesses, where little was found: records whose name is spelled nearly as the text. None of them is in `lists`. */
    similar: answers(0).optional(),
  }),
  // Whoever is signed in; what each kind needs is asked for each.
  needs: { kind: 'signed-in' },
  extension: true,
})
