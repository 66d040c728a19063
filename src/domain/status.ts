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
}

/** The word a person reads for a status; a status nobody knows is shown as it came (STA-019). */
export const labelOf = (status: string): string => drawn[status]?.label ?? status

/** The mark drawn beside a status; an unknown status has the quiet one (STA-019). */
export const markOf = (status: string): Mark => drawn[status]?.mark ?? 'idle'
