import { rejectTime } from '#contract/timekeeping.ts'
import { timeEntryStatuses } from '#domain/time-entry.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { timeEntry } from '#entities/time-entry.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'time-entry.reject',
  title: 'Reject time entry',
  aliases: ['reject hours', 'decline time'],
  on: timeEntry,
  suggestedFilter: { status: 'PENDING' },
  does: rejectTime,
  preview: (one) => statusRow(timeEntry.title(one), timeEntryStatuses, one.status, 'REJECTED'),
  undo: {
    steps: ({ before, after }) => undoing(rejectTime, after, before),
    done: (one) => (one.status === 'APPROVED' ? `Approved the time of ${timeEntry.title(one)} again, now by you` : ''),
  },
  done: (one) => `Rejected the time of ${timeEntry.title(one)}`,
})
