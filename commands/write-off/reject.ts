import { reject, writeOffProblem } from '#contract/write-offs.ts'
import { formatCents } from '#domain/money.ts'
import { writeOffStatuses } from '#domain/write-off.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { writeOff } from '#entities/write-off.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'write-off.reject',
  title: 'Reject write-off',
  aliases: ['decline write-off'],
  on: writeOff,
  suggestedFilter: { status: 'PENDING' },
  does: reject,
  preview: {
    rows: (one) => statusRow(writeOff.title(one), writeOffStatuses, one.status, 'REJECTED'),
    warning: (one) => `${formatCents(one.suggested_amount)} is rejected, and stays owed.`,
  },
  done: (one) => `Rejected the write-off of ${writeOff.title(one)}`,
  failed: () => writeOffProblem,
})
