import { all, any, may, type Need, signedIn } from '#domain/permissions.ts'

interface AuditKind {
  label: string
  /** The need for reading such a record and its history. */
  needs: Need
}

const billing = all('read:billing')
const company = any('read:employers', 'read:organizations')

/** Kinds of records in the audit, by their names there. */
export const auditKinds = {
  employee: { label: 'Employee', needs: all('read:employees') },
  user: { label: 'User', needs: all('read:employees') },
  employer: { label: 'Employer', needs: all('read:employers') },
  organization: { label: 'Organization', needs: all('read:organizations') },
  invoice: { label: 'Invoice', needs: billing },
  repayment: { label: 'Repayment', needs: billing },
  'write-off': { label: 'Write-off', needs: billing },
  deduction: { label: 'Deduction', needs: billing },
  'bank-result': { label: 'Bank result', needs: billing },
  'time-entry': { label: 'Time entry', needs: all('read:timekeeping') },
  'sftp-user': { label: 'SFTP user', needs: company },
  import: { label: 'Import', needs: all('write:integrations') },
  // Shows which colleague granted and revoked which rights.
  'account-manager': { label: 'Account manager', needs: any('read:admins', 'write:account-managers') },
  admin: { label: 'Admin', needs: all('read:admins') },
  // Own events; those of others need the right to see admins.
  person: { label: 'Sign-in', needs: signedIn },
  // Own events only.
  views: { label: 'Saved views', needs: signedIn },
  // Names of views that a group has for itself.
  'shared-view': { label: 'Shared view', needs: all('share:views') },
} as const satisfies Record<string, AuditKind>

export type AuditKindName = keyof typeof auditKinds
export const auditKindNames = Object.keys(auditKinds) as AuditKindName[]

/** The kinds of records whose events a person may read. */
export const auditKindsFor = (held: ReadonlySet<number>): AuditKindName[] =>
  auditKindNames.filter((name) => may(held, auditKinds[name].needs) === 'yes')

/** Whether the audit has a kind of this name. */
export const isAuditKind = (name: string): name is AuditKindName => Object.hasOwn(auditKinds, name)

/** Label of a kind of record; an unknown one is shown as is. */
export const auditKindWords = (name: string): string => (isAuditKind(name) ? auditKinds[name].label : name)
