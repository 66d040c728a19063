import { countWriteOffs } from '#contract/write-offs.ts'
import { listed } from '#server/jobs/runnable.ts'
import { numberOf } from '#server/tables/invoices.ts'
import { writeOffList } from '#server/tables/write-off-list.ts'

export const runnable = listed(
  countWriteOffs.needs,
  countWriteOffs.query,
  writeOffList.page,
  (row: { employee_name: string; invoice_id: number }) => `${row.employee_name}, ${numberOf(row.invoice_id)}`,
)
