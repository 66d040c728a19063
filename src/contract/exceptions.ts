import { listings } from '#contract/listings.ts'

/** Parts of lists that need attention: each is a place in the rail, and a line of the dashboard. */
export const exceptions = [
  {
    id: 'stranded-refunds',
    title: 'Refunds without a next invoice',
    reads: listings.invoices,
    search: 'refund_type=is&refund_value=YES',
  },
  {
    id: 'failed-repayments',
    title: 'Failed repayments',
    reads: listings.repayments,
    search: 'status_type=is&status_value=FAILED&origin_type=is_not&origin_value=RETURN',
  },
  {
    id: 'unallocated-repayments',
    title: 'Unallocated repayments',
    reads: listings.repayments,
    search: 'unallocated_type=is&unallocated_value=YES',
  },
  {
    id: 'unmatched-bank-results',
    title: 'Unmatched bank results',
    reads: listings.bankResults,
    search: 'state_type=is&state_value=UNMATCHED',
  },
  {
    id: 'flagged-debtors',
    title: 'Flagged debtors',
    reads: listings.invoices,
    search: 'flagged_type=is&flagged_value=YES',
  },
] as const
