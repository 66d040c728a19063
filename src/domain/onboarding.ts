import { type StateOf, states } from '#domain/status.ts'

/** States of an onboarding step of an employer. */
export const onboardingStates = states({
  MISSING: ['Missing', 'bad'],
  OPTIONAL: ['Optional', 'idle'],
  DONE: ['Done', 'good'],
})
export type OnboardingState = StateOf<typeof onboardingStates>

/** The setup of an employer, as in the database. A count is null if the person may not see the counted records. */
export interface OnboardingFacts {
  /** Customer success manager of its organization. */
  csm: string | null
  /** Whether the applicable limit allows withdrawals; null without a configuration. */
  withdraw_limit: number | null
  payment_method: 'AUTO_ACH' | 'SELF_PAY' | null
  deductions: boolean
  receives_confirmations: boolean
  integrations_folder: string | null
  pay_groups: number
  derived_pay_groups: number
  billing_accounts: number | null
  integrations: number
  timekeeping_integrations: number
  /** Those by SFTP on our own server. */
  sftp_integrations: number
  sftp_users: number
  employee_mappings: number
  timekeeping_mappings: number
  ewa_mappings: number
  confirmation_mappings: number
  data_emails: number
  employees: number
  encryption: boolean
  active: boolean
  onboarded: boolean
}

/** The onboarding steps in order. */
export const onboardingSteps = [
  'csm',
  'configuration',
  'lms',
  'deductions',
  'pay-group',
  'billing-account',
  'integration',
  'folder',
  'sftp-user',
  'data-email',
  'employee-mapping',
  'timekeeping-mapping',
  'ewa-mapping',
  'confirmation-mapping',
  'encryption',
  'employees',
  'active',
  'onboarded',
] as const
export type OnboardingStep = (typeof onboardingSteps)[number]

/** A step with its state, null if the person may not see it, and what is set up or missing, in words. */
export interface ValidatedStep {
  step: OnboardingStep
  title: string
  state: OnboardingState | null
  detail: string
}

const some = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** What is set up for an employer and what is missing before it can go live, step by step. */
export function validateOnboarding(facts: OnboardingFacts): ValidatedStep[] {
  const found: ValidatedStep[] = []
  const step = (name: OnboardingStep, title: string, state: OnboardingState | null, detail: string) =>
    found.push({ step: name, title, state, detail })
  /** Done if the count is above 0; else missing if it is required. */
  const counted = (
    name: OnboardingStep,
    title: string,
    count: number,
    one: string,
    none: string,
    needed: boolean,
    many?: string,
  ) => step(name, title, count > 0 ? 'DONE' : needed ? 'MISSING' : 'OPTIONAL', count > 0 ? some(count, one, many) : none)

  step('csm', 'Customer success manager', facts.csm ? 'DONE' : 'MISSING', facts.csm ?? 'The organization has none.')
  const limit = facts.withdraw_limit
  step(
    'configuration',
    'Configuration',
    limit ? 'DONE' : 'MISSING',
    limit ? 'Set' : limit === 0 ? 'The withdraw limit is 0: nobody can withdraw.' : 'Nobody has set a configuration.',
  )
  const paid = { AUTO_ACH: 'ACH auto', SELF_PAY: 'Self Pay' }
  step(
    'lms',
    'LMS configuration',
    facts.payment_method ? 'DONE' : 'MISSING',
    facts.payment_method ? paid[facts.payment_method] : 'Without it the employer cannot be activated.',
  )
  step(
    'deductions',
    'Deduction configuration',
    facts.deductions ? 'DONE' : 'MISSING',
    facts.deductions ? 'Set' : 'Nobody has set one: nothing may roll over.',
  )
  const derived = facts.derived_pay_groups
  step(
    'pay-group',
    'Pay group',
    facts.pay_groups > 0 && derived === 0 ? 'DONE' : 'MISSING',
    derived > 0
      ? `${some(derived, 'derived pay group')} to confirm`
      : facts.pay_groups > 0
        ? some(facts.pay_groups, 'pay group')
        : 'No pay periods, no invoices.',
  )
  const byDebit = facts.payment_method === 'AUTO_ACH'
  if (facts.billing_accounts === null) step('billing-account', 'Billing account', null, 'Needs the right to see billing')
  else
    counted(
      'billing-account',
      'Billing account',
      facts.billing_accounts,
      'account',
      byDebit ? 'Debits need an account.' : facts.payment_method ? 'It pays by itself.' : 'Needed where the employer is debited.',
      byDebit,
    )
  counted('integration', 'Integration', facts.integrations, 'integration', 'Its files and hours have no way in.', true)
  const folder = facts.integrations_folder
  step(
    'folder',
    'Integrations folder',
    folder ? 'DONE' : facts.integrations > 0 ? 'MISSING' : 'OPTIONAL',
    folder ?? 'The organization has none.',
  )
  if (facts.sftp_integrations > 0)
    counted('sftp-user', 'SFTP user', facts.sftp_users, 'user', 'Nobody can sign in to bring its files.', true)
  counted('data-email', 'Data e-mail', facts.data_emails, 'address', 'No file is taken from an e-mail.', false, 'addresses')
  counted(
    'employee-mapping',
    'Employee file mapping',
    facts.employee_mappings,
    'mapping',
    'Its employee files cannot be read.',
    true,
  )
  counted(
    'timekeeping-mapping',
    'Timekeeping file mapping',
    facts.timekeeping_mappings,
    'mapping',
    'Its timekeeping files cannot be read.',
    facts.timekeeping_integrations > 0,
  )
  counted('ewa-mapping', 'EWA file mapping', facts.ewa_mappings, 'mapping', 'EWA files have the usual columns.', false)
  if (facts.receives_confirmations)
    counted(
      'confirmation-mapping',
      'Confirmation file mapping',
      facts.confirmation_mappings,
      'mapping',
      'What it withheld cannot be read.',
      true,
    )
  step(
    'encryption',
    'Encryption key',
    facts.encryption ? 'DONE' : 'OPTIONAL',
    facts.encryption ? 'Set' : 'EWA files are not encrypted.',
  )
  counted('employees', 'Employees', facts.employees, 'employee', 'They come with the first file.', true)
  step(
    'active',
    'Active',
    facts.active ? 'DONE' : 'MISSING',
    facts.active ? 'Its employees may withdraw.' : 'Nobody can withdraw.',
  )
  step(
    'onboarded',
    'Onboarded',
    facts.onboarded ? 'DONE' : 'MISSING',
    facts.onboarded ? 'Marked as taken through all steps' : 'Marked once all is done',
  )
  return found
}
