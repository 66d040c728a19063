import { listings } from '#contract/listings.ts'
import { defineCommand } from '#kernel/command.ts'

const exceptions = [
  {
    id: 'stranded-refunds',
    title: 'Open pending refunds without a next invoice',
    aliases: ['refunds without a next invoice', 'exceptions'],
    reads: listings.invoices,
    filter: 'refund_type=is&refund_value=YES',
  },
  {
    id: 'failed-repayments',
    title: 'Open failed repayments',
    aliases: ['returned repayments', 'exceptions'],
    reads: listings.repayments,
    filter: 'status_type=is&status_value=FAILED',
  },
  {
    id: 'unallocated-repayments',
    title: 'Open unallocated repayments',
    aliases: ['money left to allocate', 'exceptions'],
    reads: listings.repayments,
    filter: 'unallocated_type=is&unallocated_value=YES',
  },
  {
    id: 'unmatched-bank-results',
    title: 'Open unmatched bank results',
    aliases: ['bank results', 'exceptions'],
    reads: listings.bankResults,
    filter: 'state_type=is&state_value=UNMATCHED',
  },
  {
    id: 'flagged-debtors',
    title: 'Open flagged debtors',
    aliases: ['invoices of flagged debtors', 'credit that came back', 'exceptions'],
    reads: listings.invoices,
    filter: 'flagged_type=is&flagged_value=YES',
  },
]

/** What needs somebody to look at it: parts of the lists, each a place of its own. */
export default exceptions.map(({ id, title, aliases, reads, filter }, index) => {
  const address = `${reads.path}?${filter}`
  return defineCommand({
    id: `open.exceptions.${id}`,
    title,
    aliases,
    icon: 'warning',
    group: 'Navigation',
    // Their filters are ours, whoever lists the noun.
    reads: { ...reads, extension: true },
    place: { address, order: 60 + index, below: 'Exceptions', counted: true },
    act: (desk) => desk.open(address),
  })
})
