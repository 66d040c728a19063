import { deduction } from '#entities/deduction.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { repayment } from '#entities/repayment.ts'
import { writeOff } from '#entities/write-off.ts'
import { defineCommand } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** 'Show paused employees', 'Show overdue invoices': one command for every status of a list. */
const byStatus = (entity: AnyEntity) =>
  (entity.filters.find((filter) => filter.id === 'status')?.field.options ?? []).map(({ value, label }) =>
    defineCommand({
      id: `filter.show.${entity.name}.${value.toLowerCase().replaceAll('_', '-')}`,
      title: `Show ${label.toLowerCase()} ${entity.many}`,
      icon: entity.icon,
      group: 'Filters',
      reads: entity.list,
      act: (desk) => desk.open(`${entity.path}?status_type=is&status_value=${value}`),
    }),
  )

export default [employee, invoice, repayment, writeOff, deduction].flatMap(byStatus)
