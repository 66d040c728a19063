import { editEmployer } from '#contract/employer-changes.ts'
import type { Employer } from '#contract/employers.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'

/** Current values of the editable fields of an employer. */
const valuesOf = (one: Employer) => ({
  internal_name: one.internal_name,
  external_name: one.external_name,
  external_code: one.external_code,
  brand: one.brand,
  direct_customer: one.direct_customer,
  go_live_date: one.go_live_date ?? undefined,
  cancellation_date: one.cancellation_date ?? undefined,
  pilot_ee_count: one.pilot_ee_count ?? undefined,
  pilot_launch_date: one.pilot_launch_date ?? undefined,
})

export default defineCommand({
  id: 'employer.edit',
  title: 'Edit employer',
  aliases: ['rename', 'rename employer', 'go-live date', 'pilot', 'change employer'],
  on: employer,
  does: editEmployer,
  bulk: false,
  keys: [{ scope: 'row', chord: 'e' }],
  form: { start: (one) => (one ? valuesOf(one) : {}) },
  undo: ({ before, after }: { before: Employer; after: Employer }) => [
    editEmployer({ id: after.id }, { ...valuesOf(before), version: after.version }),
  ],
  done: (one, _, after) => `Changed ${employer.title(after ?? one)}`,
})
