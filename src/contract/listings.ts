import { all, any, signedIn } from '#domain/permissions.ts'
import type { CallHead } from '#contract/define.ts'

const listing = <Path extends string>(path: Path, needs: CallHead['needs'], extension = false) =>
  ({ method: 'GET', path, needs, extension }) as const satisfies CallHead

const billing = all('read:billing')

/**
 * The calls that list a noun, without their schemas: the rail renders links to the lists before these are loaded. The endpoints
 * are declared from these.
 */
export const listings = {
  employees: listing('/employees', all('read:employees')),
  users: listing('/users', all('read:employees')),
  invoices: listing('/invoices', billing),
  repayments: listing('/repayments', billing),
  writeOffs: listing('/write-offs', billing, true),
  deductions: listing('/deductions', billing, true),
  timekeeping: listing('/timekeeping', all('read:timekeeping')),
  employers: listing('/employers', all('read:employers')),
  organizations: listing('/organizations', all('read:organizations')),
  sftpUsers: listing('/sftp-users', any('read:employers', 'read:organizations')),
  accountManagers: listing('/account-managers', any('read:employers', 'read:organizations')),
  admins: listing('/admins', all('read:admins')),
  imports: listing('/imports', all('write:integrations'), true),
  bankResults: listing('/bank-results', billing, true),
  sessions: listing('/sessions', signedIn, true),
  auditEvents: listing('/audit-events', signedIn, true),
}

/** The call for a person's own batch runs, for the link to the notices. */
export const runsCall = { method: 'GET', path: '/runs', needs: signedIn, extension: true } as const satisfies CallHead

/** The call for the figures of the first page, for callers who may read any of them; the needs of each figure are checked separately. */
export const summaryCall = {
  method: 'GET',
  path: '/dashboard/summary',
  needs: any('read:billing', 'read:employees', 'read:employers', 'read:transactions', 'write:integrations'),
  extension: true,
} as const satisfies CallHead
