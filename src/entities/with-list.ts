import { accountManager } from '#entities/account-manager.ts'
import { admin } from '#entities/admin.ts'
import { auditEvent } from '#entities/audit-event.ts'
import { bankResult } from '#entities/bank-result.ts'
import { deduction } from '#entities/deduction.ts'
import { employee } from '#entities/employee.ts'
import { employer } from '#entities/employer.ts'
import { importedFile } from '#entities/import.ts'
import { invoice } from '#entities/invoice.ts'
import { organization } from '#entities/organization.ts'
import { repayment } from '#entities/repayment.ts'
import { session } from '#entities/session.ts'
import { sftpUser } from '#entities/sftp-user.ts'
import { timeEntry } from '#entities/time-entry.ts'
import { user } from '#entities/user.ts'
import { writeOff } from '#entities/write-off.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** The nouns with a list of their own; everything that exists per list is derived from these. A test compares them with all nouns. */
export const withList: readonly AnyEntity[] = [
  employee,
  user,
  invoice,
  repayment,
  writeOff,
  deduction,
  timeEntry,
  employer,
  organization,
  sftpUser,
  importedFile,
  accountManager,
  admin,
  bankResult,
  auditEvent,
  session,
]
