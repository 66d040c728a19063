import { listTimekeeping } from '#contract/timekeeping.ts'
import { timeEntry } from '#entities/time-entry.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'time-entry.open',
  title: 'Jump to time entry',
  aliases: ['go to time entry', 'find time entry', 'open time entry'],
  icon: 'time',
  on: timeEntry,
  reads: listTimekeeping,
  act: (desk, one) => desk.open(pathOf(timeEntry, timeEntry.id(one))),
})
