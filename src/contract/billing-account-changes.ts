import { z } from 'zod'
import {
  billingAccountScopes,
  billingScopeLabels,
  canChangeBillingAccount,
  noAccountNumber,
  routingProblem,
} from '#domain/billing-account.ts'
import { all } from '#domain/permissions.ts'
import { BillingAccount } from '#contract/billing-accounts.ts'
import { action } from '#contract/define.ts'
import { choice, fieldMeta, idSchema, references, required, secret, text, version } from '#contract/fields.ts'

const needs = all('write:billing')

/** A routing number with a valid check digit. */
const routingNumber = z
  .string({ error: required })
  .trim()
  .min(1, { error: required, abort: true })
  .superRefine((number, context) => {
    const message = routingProblem(number)
    if (message) context.addIssue({ code: 'custom', message })
  })
fieldMeta.add(routingNumber, { kind: 'code', title: 'Routing number' })

const accountNumber = secret(
  'Account number',
  z
    .string({ error: required })
    .trim()
    .min(1, { error: required, abort: true })
    .regex(/^\d{4,17}$/, noAccountNumber),
)

/** The employers that an account is debited for, among those of an organization if known. */
export const debitedEmployers = (organization?: string) =>
  references('Employers', 'employer', {
    needed: true,
    when: { field: 'scope', is: 'EMPLOYERS' },
    ...(organization === undefined ? {} : { within: { 'organization-id': organization } }),
  }).optional()

/** Fields of an account other than its numbers. */
const fields = {
  name: text('Account name', 100, { help: 'The holder, as the bank has it' }),
  nickname: text('Nickname', 60),
  bank_name: text('Bank', 100).nullable().optional(),
  ach_code: text('ACH code', 20).nullable().optional(),
  scope: choice('Debited for', billingAccountScopes, billingScopeLabels),
  employer_ids: debitedEmployers(),
}

/** Fields that identify an account at the bank; an omitted account number is unchanged. */
export const accountNumbers = {
  routing_number: routingNumber,
  account_number: accountNumber.optional(),
  ach_code: fields.ach_code,
}

/** Fields of the forms, in order. */
export const billingAccountFields = { ...fields, routing_number: routingNumber, account_number: accountNumber }

const call = { tag: 'Organizations', needs, extension: true, answer: BillingAccount } as const

export const createBillingAccount = action({
  ...call,
  method: 'POST',
  path: '/billing-accounts',
  summary: 'Add a bank account that an organization is debited from',
  status: 201,
  id: 'billing-account.create',
  body: z.object({ organization_id: idSchema, ...billingAccountFields }),
  event: 'Billing account created',
})

export const editBillingAccount = action({
  ...call,
  method: 'PUT',
  path: '/billing-accounts/{id}',
  summary: 'Change a billing account: an account number that is left out stays',
  id: 'billing-account.edit',
  body: z.object({ ...billingAccountFields, account_number: accountNumber.optional(), version: version() }),
  event: 'Billing account updated',
  refuses: canChangeBillingAccount,
})

export const deleteBillingAccount = action({
  ...call,
  method: 'DELETE',
  path: '/billing-accounts/{id}',
  summary: 'Delete a billing account; it stays in the list as deleted, and debits under way go on',
  id: 'billing-account.delete',
  body: z.object({ version: version() }),
  event: 'Billing account deleted',
  refuses: canChangeBillingAccount,
})
