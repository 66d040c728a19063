import { exceptions } from '#contract/exceptions.ts'
import { defineCommand } from '#kernel/command.ts'

const aliases: Record<(typeof exceptions)[number]['id'], readonly string[]> = {
  'stranded-refunds': ['pending refunds', 'stranded refunds'],
  'failed-repayments': ['returned repayments'],
  'unallocated-repayments': ['money left to allocate'],
  'unmatched-bank-results': ['bank results'],
  'flagged-debtors': ['invoices of flagged debtors', 'credit that came back'],
}

/** Parts of lists that need attention, each with its own place in the rail. */
export default exceptions.map(({ id, title, reads, search }, index) => {
  const address = `${reads.path}?${search}`
  return defineCommand({
    id: `open.exceptions.${id}`,
    title: `Open ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
    aliases: [...aliases[id], 'exceptions'],
    icon: 'warning',
    // Their filters are extensions, even if the list is in the specification.
    reads: { ...reads, extension: true },
    place: { address, order: 60 + index, below: 'Exceptions', counted: true },
    act: (host) => host.open(address),
  })
})
