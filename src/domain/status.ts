/** How a state is drawn: each mark has a shape of its own, so that it reads without colour. */
export type Mark = 'good' | 'wait' | 'bad' | 'busy' | 'idle'

interface Drawn {
  label: string
  mark: Mark
}

const drawn: Record<string, Drawn> = {
  ACTIVE: { label: 'Active', mark: 'good' },
  DELETED: { label: 'Deleted', mark: 'bad' },
  IMPORTED: { label: 'Imported', mark: 'busy' },
  CREATED: { label: 'Created', mark: 'busy' },
  APPROVED: { label: 'Approved', mark: 'good' },
  PENDING: { label: 'Pending', mark: 'wait' },
  REJECTED: { label: 'Rejected', mark: 'bad' },
  AUTO: { label: 'Auto', mark: 'good' },
  FAIL: { label: 'Failed', mark: 'bad' },
  SUCCESS: { label: 'Success', mark: 'good' },
  COMPLETE: { label: 'Complete', mark: 'good' },
  PAUSED: { label: 'Paused', mark: 'wait' },
  TERMINATED: { label: 'Terminated', mark: 'bad' },
  DUPLICATED: { label: 'Duplicated', mark: 'idle' },
  ELIGIBLE: { label: 'Eligible', mark: 'busy' },
  INELIGIBLE: { label: 'Ineligible', mark: 'idle' },
  OFFCYCLE_PAID: { label: 'Off-cycle paid', mark: 'idle' },
  UNKNOWN: { label: 'Unknown', mark: 'idle' },
  CONFIRMATION_PENDING: { label: 'Confirmation pending', mark: 'wait' },
  PENDING_EMAIL_UPDATE: { label: 'E-mail update pending', mark: 'wait' },
  DENIED: { label: 'Denied', mark: 'bad' },
  UNDER_REVIEW: { label: 'Under review', mark: 'wait' },
  INACTIVE: { label: 'Inactive', mark: 'idle' },
  DRAFT: { label: 'Draft', mark: 'idle' },
  ON_DEDUCTION_FILE: { label: 'In Review', mark: 'wait' },
  DEDUCTION_APPROVED: { label: 'Approved', mark: 'good' },
  SCHEDULED: { label: 'Scheduled', mark: 'busy' },
  SENT: { label: 'Sent', mark: 'busy' },
  PROCESSING: { label: 'Processing', mark: 'busy' },
  CLOSED: { label: 'Paid', mark: 'good' },
  RETURNED: { label: 'Returned', mark: 'bad' },
  PARTIALLY_RETURNED: { label: 'Partially Returned', mark: 'bad' },
  REFUND_IN_PROGRESS: { label: 'Refund In Progress', mark: 'wait' },
  REFUNDED: { label: 'Refunded', mark: 'idle' },
  OVERDUE: { label: 'Overdue', mark: 'bad' },
  OVERPAID: { label: 'Overpaid', mark: 'wait' },
  UNDERPAID: { label: 'Underpaid', mark: 'wait' },
  DELIVERED: { label: 'Delivered', mark: 'good' },
  WAITING_CONFIRMATION: { label: 'Waiting confirmation', mark: 'wait' },
  RECONCILED: { label: 'Reconciled', mark: 'good' },
  FAILED: { label: 'Unreconciled/Failed', mark: 'bad' },
  COMPLETED: { label: 'Completed', mark: 'good' },
  SUBMITTED: { label: 'Submitted', mark: 'busy' },
  SETTLED: { label: 'Settled', mark: 'good' },
  CANCELLED: { label: 'Cancelled', mark: 'idle' },
  UNMATCHED: { label: 'Unmatched', mark: 'bad' },
  BOOKED: { label: 'Booked', mark: 'good' },
  DISMISSED: { label: 'Dismissed', mark: 'idle' },
  GRANTED: { label: 'Granted', mark: 'good' },
  EXPIRED: { label: 'Expired', mark: 'idle' },
  REVERSED: { label: 'Reversed', mark: 'idle' },
}

/** The word a person reads for a status; one that nobody knows is shown as it came (STA-019), one that is masked is null. */
export const labelOf = (status: string | null): string => (status === null ? 'Restricted' : (drawn[status]?.label ?? status))

/** The words of several statuses, by status. */
export const labelsOf = (statuses: readonly string[]): Record<string, string> =>
  Object.fromEntries(statuses.map((status) => [status, labelOf(status)]))

/** The mark drawn beside a status; an unknown status has the quiet one (STA-019). */
export const markOf = (status: string | null): Mark => (status !== null && drawn[status]?.mark) || 'idle'
