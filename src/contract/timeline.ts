import { z } from 'zod'
import { employeeEvents, employeeEventStatuses } from '#domain/employee-event.ts'
import { all } from '#domain/permissions.ts'
import { timelineKinds, timelineLabels, timelineNeeds } from '#domain/timeline.ts'
import { endpoint } from '#contract/define.ts'
import { EmployeeInvoice } from '#contract/employee-invoices.ts'
import { choiceFilter, dateFilter, filterParams } from '#contract/filter.ts'
import { eventFiltersOf, HistoryEvent } from '#contract/history.ts'
import { Count, lek, pageQuery } from '#contract/list.ts'
import { Note } from '#contract/notes.ts'
import { Transaction } from '#contract/transactions.ts'
import { WorkPeriodBalance } from '#contract/work-periods.ts'

/** When it happened, in the business time zone: a balance at the start of its period, an invoice at the start of its report date. */
const placed = { id: z.string(), at: z.iso.datetime() }

/** One entry of a person's timeline, as in the list of its own kind. */
export const TimelineEntry = z.discriminatedUnion('kind', [
  z.object({ ...placed, kind: z.literal('EVENT'), event: HistoryEvent }),
  z.object({ ...placed, kind: z.literal('TRANSACTION'), transaction: Transaction }),
  z.object({ ...placed, kind: z.literal('BALANCE'), balance: WorkPeriodBalance }),
  z.object({ ...placed, kind: z.literal('INVOICE'), invoice: EmployeeInvoice }),
  z.object({ ...placed, kind: z.literal('NOTE'), note: Note }),
])
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** Notes are entries themselves, so the event of adding one is left out. */
const listedStatuses = employeeEventStatuses.filter((status) => status !== employeeEvents.noteAdded)

/** The filters of a timeline. Only events have a status and a category: filtering by these excludes the other kinds. */
export const timelineFilters = [
  choiceFilter({ id: 'kind', title: 'Kind', values: timelineKinds, labels: timelineLabels, optionNeeds: timelineNeeds }),
  ...eventFiltersOf(listedStatuses),
  dateFilter('date', 'Date'),
] as const

const filtered = filterParams(timelineFilters)
const needs = all('read:employees')

export const listTimeline = endpoint({
  method: 'GET',
  path: '/employees/{id}/timeline',
  summary: 'Events, transactions, balances, invoices and notes of an employee, as far as the person may see each, newest first',
  tag: 'Employees',
  query: z.object({ ...pageQuery, ...filtered }),
  answer: z.object({ entries: z.array(TimelineEntry), lek }),
  needs,
  extension: true,
})

export const countTimeline = endpoint({
  method: 'GET',
  path: '/employees/{id}/timeline/count',
  summary: 'How many entries of the timeline of an employee a filter has',
  tag: 'Employees',
  query: z.object(filtered),
  answer: Count,
  needs,
  extension: true,
})
