import type { Employee } from '#contract/employees.ts'
import { employee } from '#entities/employee.ts'
import { timeEntry } from '#entities/time-entry.ts'
import timekeeping from '#portal/nouns/timekeeping/list.tsx'
import { narrowed, tabList } from '#portal/record/tab-list.tsx'

/** The tab Timekeeping of an employee (SCR-048). */
export const EmployeeTimekeeping = tabList<Employee>({
  of: employee,
  tab: 'timekeeping',
  rows: timeEntry,
  list: (one) => {
    const { columns, ...list } = narrowed(
      timekeeping,
      { 'employee-id': String(one.id) },
      { shown: ['worked', 'status', 'decided-by', 'earned', 'hours'], none: 'No time was reported for this employee.' },
    )
    // Without the employee column the day identifies a row.
    const kept = columns.map((column) => (column.id === 'worked' ? { ...column, keep: 3 as const } : column))
    return { ...list, columns: kept.filter(({ id }) => id !== 'employee') }
  },
})
