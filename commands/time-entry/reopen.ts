import { reopenTime } from '#contract/timekeeping.ts'
import { timeEntryStatuses } from '#domain/time-entry.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { timeEntry } from '#entities/time-entry.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'time-entry.reopen',
  title: 'Put time entry back to pending',
  aliases: ['reopen time entry', 'decide later'],
  button: 'Back to pending',
  on: timeEntry,
  does: reopenTime,
  preview: (one) => statusRow(timeEntry.title(one), timeEntryStatuses, one.status, 'PENDING'),
  undo: ({ before, after }) => undoing(reopenTime, after, before),
  done: (one) => `The time of ${timeEntry.title(one)} is pending again`,
})
