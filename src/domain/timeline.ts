import { all, type Need } from '#domain/permissions.ts'

/** Kinds of entries in a person's timeline. Of entries with the same time, the kind listed later is shown above. */
export const timelineKinds = ['EVENT', 'TRANSACTION', 'BALANCE', 'INVOICE', 'NOTE'] as const
export type TimelineKind = (typeof timelineKinds)[number]

export const timelineLabels: Readonly<Record<TimelineKind, string>> = {
  EVENT: 'Event',
  TRANSACTION: 'Transaction',
  BALANCE: 'Balance',
  INVOICE: 'Invoice',
  NOTE: 'Note',
}

/** Need of a kind besides reading employees: that of the list of that kind. */
export const timelineNeeds: Readonly<Record<TimelineKind, Need>> = {
  EVENT: all('read:employees'),
  TRANSACTION: all('read:transactions'),
  BALANCE: all('read:work-period-balances'),
  INVOICE: all('read:billing'),
  NOTE: all('read:employees'),
}
