import { countEmployers } from '#contract/employers.ts'
import { listed } from '#server/jobs/runnable.ts'
import { employerList } from '#server/tables/employer-list.ts'

export const runnable = listed(
  countEmployers.needs,
  countEmployers.query,
  employerList.page,
  (row: { internal_name: string }) => row.internal_name,
)
