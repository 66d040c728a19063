import type { NotedEntity } from '#domain/note.ts'
import { deduction } from '#entities/deduction.ts'
import { employee } from '#entities/employee.ts'
import { employer } from '#entities/employer.ts'
import { invoice } from '#entities/invoice.ts'
import { organization } from '#entities/organization.ts'
import { repayment } from '#entities/repayment.ts'
import { writeOff } from '#entities/write-off.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** The nouns with notes, by the names in `entity_type` of the API. */
export const noted: Readonly<Record<NotedEntity, AnyEntity>> = {
  employee,
  employer,
  organization,
  invoice,
  repayment,
  'write-off': writeOff,
  deduction,
}
