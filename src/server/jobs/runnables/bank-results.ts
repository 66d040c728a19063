import { countBankResults } from '#contract/bank-results.ts'
import { bankSaidLabel } from '#domain/bank-result.ts'
import { formatCents } from '#domain/money.ts'
import { listed } from '#server/jobs/runnable.ts'
import { bankResultList } from '#server/tables/bank-result-list.ts'

export const runnable = listed(
  countBankResults.needs,
  countBankResults.query,
  bankResultList.page,
  (row: { code: string; amount: number }) => `${bankSaidLabel(row.code)}, ${formatCents(row.amount)}`,
)
