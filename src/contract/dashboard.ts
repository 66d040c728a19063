import { z } from 'zod'
import { invoiceAgeNames } from '#domain/dashboard.ts'
import { all, type Need } from '#domain/permissions.ts'
import { type CallHead, endpoint } from '#contract/define.ts'
import { exceptions } from '#contract/exceptions.ts'
import { dateSchema, nothing } from '#contract/fields.ts'
import { listings, summaryCall } from '#contract/listings.ts'

/** Something that may need attention: a part of a list, with its count. */
interface Line {
  id: string
  title: string
  /** A short explanation. */
  detail?: string
  /** The list that it is a part of, and its filters there. */
  reads: CallHead
  search: string
  /** Who can deal with it: only they see it. */
  needs: Need
  /** Label of its amount; without it only the rows are counted. */
  amount?: string
}

const billing = all('read:billing')
const employees = all('read:employees')
const imports = all('write:integrations')

/** An exception of the rail as a line. */
const exception = <const Id extends (typeof exceptions)[number]['id']>(id: Id, amount: string) => {
  const { title, reads, search } = exceptions.find((each) => each.id === id) as (typeof exceptions)[number]
  return { id, title, reads, search, needs: reads.needs, amount }
}

/** What needs attention today, most urgent first. Each is counted by the conditions of its list. */
const lines = [
  {
    id: 'overdue-invoices',
    title: 'Overdue invoices',
    reads: listings.invoices,
    search: 'status_type=is&status_value=OVERDUE&sort=due_date',
    needs: billing,
    amount: 'Outstanding',
  },
  {
    id: 'write-offs-to-approve',
    title: 'Write-offs to approve',
    reads: listings.writeOffs,
    search: 'status_type=is&status_value=PENDING',
    needs: all('read:billing', 'approve:write-offs'),
    amount: 'Suggested',
  },
  {
    id: 'returned-debits',
    title: 'Returned debits',
    reads: listings.invoices,
    search: 'status_type=is&status_value=RETURNED,PARTIALLY_RETURNED&sort=due_date',
    needs: billing,
    amount: 'Outstanding',
  },
  exception('unmatched-bank-results', 'Answered'),
  {
    id: 'debits-without-account',
    title: 'Debits without a bank account',
    detail: 'they wait for one',
    reads: listings.invoices,
    search: 'no_account_type=is&no_account_value=YES',
    needs: billing,
    amount: 'Outstanding',
  },
  exception('failed-repayments', 'Failed'),
  exception('unallocated-repayments', 'Unallocated'),
  {
    id: 'pending-repayments',
    title: 'Repayments not reconciled',
    reads: listings.repayments,
    search: 'status_type=is&status_value=PENDING',
    needs: billing,
    amount: 'Repaid',
  },
  {
    id: 'deductions-to-approve',
    title: 'Deductions to approve',
    reads: listings.deductions,
    search: 'status_type=is&status_value=PENDING',
    needs: all('read:billing', 'write:billing'),
    amount: 'To deduct',
  },
  {
    id: 'reporting-tomorrow',
    title: 'Pay periods that report tomorrow',
    detail: 'people in them',
    reads: listings.employees,
    search: 'reports_type=is&reports_value=TOMORROW',
    needs: all('read:employees', 'read:work-period-balances'),
    amount: 'Taken',
  },
  {
    id: 'imports-waiting',
    title: 'Files that were not imported',
    detail: 'failed, or waiting for a decision',
    reads: listings.imports,
    search: 'waiting_type=is&waiting_value=YES',
    needs: imports,
  },
  {
    id: 'late-files',
    title: 'Files that did not come',
    detail: 'employers whose file is late by its rhythm',
    reads: listings.employers,
    search: 'late_type=is&late_value=YES',
    needs: all('read:employers', 'write:integrations'),
  },
  {
    id: 'employers-without-lms',
    title: 'Employers that cannot be activated',
    detail: 'no LMS configuration',
    reads: listings.employers,
    search: 'status_type=is&status_value=INACTIVE&lms_type=is&lms_value=NO',
    needs: all('read:employers'),
  },
  {
    id: 'paused-long',
    title: 'Paused longer than 30 days',
    reads: listings.employees,
    search: 'status_type=is&status_value=PAUSED&paused_type=is&paused_value=OVER_30_DAYS',
    needs: employees,
  },
  exception('stranded-refunds', 'Refunded'),
  exception('flagged-debtors', 'Outstanding'),
] as const satisfies readonly Line[]

export type LineId = (typeof lines)[number]['id']
/** The common type of all lines. */
export type DashboardLine = Line & { id: LineId }
/** Every line, in display order. */
export const dashboardLines: readonly DashboardLine[] = lines

/** The permissions of each plot. */
export const plotNeeds = {
  ages: billing,
  advances: all('read:transactions'),
  recovery: billing,
  imports,
} as const satisfies Readonly<Record<string, Need>>

const Sum = z.object({ count: z.int(), amount: z.int() })

const byAge = Object.fromEntries(invoiceAgeNames.map((name) => [name, Sum])) as Record<
  (typeof invoiceAgeNames)[number],
  typeof Sum
>

/** The first page: what needs attention, and trends; cents. */
export const Summary = z.object({
  /** When the figures were computed; null before the first time, without any figures. */
  counted_at: z.iso.datetime().nullable(),
  /** The business date of the figures. */
  business_date: dateSchema,
  /** The lines visible to the caller, including empty ones. */
  lines: z.partialRecord(z.enum(lines.map(({ id }) => id)), Sum.extend({ amount: z.int().nullable() })),
  /** Each is null if the caller may not see it. */
  plots: z.object({
    /** Outstanding amounts of payable invoices, by days overdue. */
    ages: z.object(byAge).nullable(),
    /** Completed and pending advances by day, without fees. Days without any are omitted. */
    advances: z.array(Sum.extend({ date: dateSchema })).nullable(),
    /** By the Monday of the week in which invoices were due: their amount, and how much of it was paid. */
    recovery: z.array(z.object({ week: dateSchema, billed_amount: z.int(), recovered_amount: z.int() })).nullable(),
    /** Arrived files by business day, and how many failed. Days without any are omitted. */
    imports: z.array(z.object({ date: dateSchema, count: z.int(), failed: z.int() })).nullable(),
  }),
})
export type Summary = z.infer<typeof Summary>

export const getSummary = endpoint({
  ...summaryCall,
  summary: 'What needs the person today, and how advances and their recovery go',
  tag: 'Dashboard',
  params: nothing,
  answer: Summary,
})
