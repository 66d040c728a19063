import { dismissResult, reopenResult } from '#contract/bank-results.ts'
import { bankResultStates } from '#domain/bank-result.ts'
import { bankResult } from '#entities/bank-result.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'bank-result.dismiss',
  title: 'Dismiss bank result',
  aliases: ['ignore bank result'],
  on: bankResult,
  suggestedFilter: { state: 'UNMATCHED' },
  does: dismissResult,
  preview: (one) => statusRow(bankResult.title(one), bankResultStates, one.state, 'DISMISSED'),
  undo: ({ after }) => [reopenResult({ id: after.id }, { reason: 'Undone', version: after.version })],
  done: (one) => `Dismissed ${bankResult.title(one)}`,
})
