import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'

const status = employee.filters.find((filter) => filter.id === 'status')

/** 'Show paused employees': one command for every status of a list. */
export default (status?.field.options ?? []).map(({ value, label }) =>
  defineCommand({
    id: `filter.show.employee.${value.toLowerCase().replaceAll('_', '-')}`,
    title: `Show ${label.toLowerCase()} employees`,
    icon: 'filter',
    group: 'Filters',
    reads: employee.list,
    act: (desk) => desk.open(`${employee.path}?status_type=is&status_value=${value}`),
  }),
)
