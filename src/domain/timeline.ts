import { all, type Need } from '#domain/permissions.ts'

/** What stands in the timeline of a person. Of two kinds at one time the later one here stands above. */
export const timelineKinds = ['EVENT', 'TRANSACTION', 'BALANCE', 'INVOICE', 'NOTE'] as const
export type TimelineKind = (typeof timelineKinds)[number]

export const timelineLabels: Readonly<Record<TimelineKind, string>> = {
  EVENT: 'Event',
  TRANSACTION: 'Transaction',
  BALANCE: 'Balance',
  INVOICE: 'Invoice',
  NOTE: 'Note',
}

/** What a kind needs beside the right to read employees: what the list of that kind alone needs. */
export const timelineNeeds: Readonly<Record<TimelineKind, Need>> = {
  EVENT: all('read:employees'),
  TRANSACTION: all('read:transactions'),
  BALANCE: all('read:work-period-balances'),
  INVOICE: all('read:billing'),
  NOTE: all('read:employees'),
}
