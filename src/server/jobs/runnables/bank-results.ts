import { countBankResults } from '#contract/bank-results.ts'
import { bankResultTitle } from '#domain/bank-result.ts'
import { listed } from '#server/jobs/runnable.ts'
import { bankResultList } from '#server/tables/bank-result-list.ts'

export const runnable = listed(countBankResults.needs, countBankResults.query, bankResultList.page, bankResultTitle)
