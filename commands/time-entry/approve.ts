import { approveTime } from '#contract/timekeeping.ts'
import { timeEntryStatuses } from '#domain/time-entry.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { timeEntry } from '#entities/time-entry.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'time-entry.approve',
  title: 'Approve time entry',
  aliases: ['approve hours', 'accept time'],
  on: timeEntry,
  suggestedFilter: { status: 'PENDING' },
  does: approveTime,
  keys: [{ scope: 'row', chord: 'p' }],
  preview: (one) => statusRow(timeEntry.title(one), timeEntryStatuses, one.status, 'APPROVED'),
  undo: ({ before, after }) => undoing(approveTime, after, before),
  done: (one) => `Approved the time of ${timeEntry.title(one)}`,
})
