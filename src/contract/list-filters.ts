import { accountManagerFilters, listAccountManagers } from '#contract/account-managers.ts'
import { adminFilters, listAdmins } from '#contract/admins.ts'
import { auditFilters, listAuditEvents } from '#contract/audit-events.ts'
import { bankResultFilters, listBankResults } from '#contract/bank-results.ts'
import { deductionFilters, listDeductions } from '#contract/deductions.ts'
import type { AnyEndpoint } from '#contract/define.ts'
import { employeeFilters, listEmployees } from '#contract/employees.ts'
import { employerFilters, listEmployers } from '#contract/employers.ts'
import { type Filter, filterProblem, filterQuery, type FilterType, rowsFilter } from '#contract/filter.ts'
import { importFilters, listImports } from '#contract/imports.ts'
import { invoiceFilters, listInvoices } from '#contract/invoices.ts'
import { listOrganizations, organizationFilters } from '#contract/organizations.ts'
import { listRepayments, repaymentFilters } from '#contract/repayments.ts'
import { listSessions } from '#contract/sessions.ts'
import { listSftpUsers, sftpUserFilters } from '#contract/sftp-users.ts'
import { listTimekeeping, timekeepingFilters } from '#contract/timekeeping.ts'
import { listUsers, userFilters } from '#contract/users.ts'
import { listWriteOffs, writeOffFilters } from '#contract/write-offs.ts'
import { may } from '#domain/permissions.ts'

/** The calls of the lists that have a page, by its path, with their filters. */
export const listFilters: Readonly<Record<string, { list: AnyEndpoint; filters: readonly Filter[] }>> = {
  '/account-managers': { list: listAccountManagers, filters: accountManagerFilters },
  '/admins': { list: listAdmins, filters: adminFilters },
  '/audit-events': { list: listAuditEvents, filters: auditFilters },
  '/bank-results': { list: listBankResults, filters: bankResultFilters },
  '/deductions': { list: listDeductions, filters: deductionFilters },
  '/employees': { list: listEmployees, filters: employeeFilters },
  '/employers': { list: listEmployers, filters: employerFilters },
  '/imports': { list: listImports, filters: importFilters },
  '/invoices': { list: listInvoices, filters: invoiceFilters },
  '/organizations': { list: listOrganizations, filters: organizationFilters },
  '/repayments': { list: listRepayments, filters: repaymentFilters },
  '/sessions': { list: listSessions, filters: [] },
  '/sftp-users': { list: listSftpUsers, filters: sftpUserFilters },
  '/timekeeping': { list: listTimekeeping, filters: timekeepingFilters },
  '/users': { list: listUsers, filters: userFilters },
  '/write-offs': { list: listWriteOffs, filters: writeOffFilters },
}

const isPartOfView = /^((?!entity_)[a-z_]+_(type|value)|sort|order|columns)$/

/** Why a list cannot show a view for a person with these permissions, as a sentence; null if it can. */
export function viewProblem(path: string, search: string, held: ReadonlySet<number>): string | null {
  const known = listFilters[path]
  if (!known) return 'There is no such list.'
  const { list, filters } = known
  if (may(held, list.needs) !== 'yes') return "You don't have permission to read this list."
  const names = [...new URLSearchParams(search).keys()]
  if (names.some((name) => !isPartOfView.test(name))) return 'A view has only filters, a sort order and columns.'
  if (new Set(names).size < names.length) return 'A filter is there twice.'
  const { sort, order, columns, ...set } = Object.fromEntries(new URLSearchParams(search))
  if (columns !== undefined && !/^[\w.-]+(,[\w.-]+)*$/.test(columns)) return 'Name the columns, separated by commas.'
  if ((sort !== undefined || order !== undefined) && !('sort' in list.query.shape)) return 'This list has only one sort order.'
  const query: Record<string, string> = { ...(sort && { sort }), ...(order && { 'sort-order': order }) }
  const rows = 'id' in list.query.shape ? [rowsFilter('Selected rows', '')] : []
  for (const id of new Set(Object.keys(set).map((name) => name.replace(/_(type|value)$/, '')))) {
    const filter = [...filters, ...rows].find((each) => each.id === id)
    if (!filter) return `This list has no filter ${id}.`
    if (filter.needs && may(held, filter.needs) !== 'yes') return `You don't have permission to filter by ${filter.title}.`
    const setting = { id, type: (set[`${id}_type`] ?? '') as FilterType, value: set[`${id}_value`] ?? '' }
    const problem = id === 'id' ? null : filterProblem(filter, setting)
    if (problem) return `${filter.title}: ${problem}`
    Object.assign(query, filterQuery(filter, setting))
  }
  const read = list.query.safeParse(query)
  return read.success ? null : (read.error.issues[0]?.message ?? null)
}
