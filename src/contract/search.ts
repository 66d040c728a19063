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
import { decimal } from '#contract/fields.ts'
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

/** The paths of `listings`, without the slash. */
type Listed = (typeof listings)[keyof typeof listings]['path'] extends `/${infer Kind}` ? Kind : never

/**
 * Everything that can be searched, by path: the call for its list, and the call for one record. Every list has to be here.
 * People and companies come before what is billed to them; groups that match equally well keep this order.
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

/** For these, open work comes first (`firstViewOf`), then the newest: an employer has hundreds of paid invoices. */
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
 * One call for the palette: per kind the first rows of its list for a text, open work first, and for some the exact record by
 * id. Omits what the caller may not read, and unknown ids.
 */
export const search = endpoint({
  method: 'GET',
  path: '/search',
  summary: 'Things of several kinds that match a text or nearly do, and things by their ids',
  tag: 'Search',
  query: z.object({
    q: z.string().trim().max(200).default(''),
    /** The kinds to search. */
    kinds: commaList(z.enum(searchKinds)).optional(),
    /** Records by id, such as `employees:104233,invoices:41000`. */
    ids: commaList(kindAndId).optional(),
    /** As in the lists that support it. */
    include: z.string().max(200).optional(),
    limit: decimal('A whole number from 1 to 50', 1, 50).default(20),
  }),
  answer: z.object({
    lists: answers(0),
    records: answers(1),
    /** Fuzzy matches if little was found: records with a similarly spelled name. None of them is in `lists`. */
    similar: answers(0).optional(),
  }),
  // Any signed-in person; the needs of each kind are checked separately.
  needs: { kind: 'signed-in' },
  extension: true,
})
