import { expect, test } from 'vitest'
import { validateOnboarding, type OnboardingFacts } from '#domain/onboarding.ts'

/** An employer with N of everything. */
const withAll = (count: number): OnboardingFacts => ({
  csm: 'Lena Falk',
  withdraw_limit: 4_000,
  payment_method: 'AUTO_ACH',
  deductions: true,
  receives_confirmations: true,
  integrations_folder: 'harbor',
  pay_groups: count,
  derived_pay_groups: 0,
  billing_accounts: count,
  integrations: count,
  timekeeping_integrations: count,
  sftp_integrations: count,
  sftp_users: count,
  employee_mappings: count,
  timekeeping_mappings: count,
  ewa_mappings: count,
  confirmation_mappings: count,
  data_emails: count,
  employees: count,
  encryption: true,
  active: true,
  onboarded: true,
})
const countsOf = (count: number) =>
  validateOnboarding(withAll(count)).flatMap(({ step, detail }) => (/^\d/.test(detail) ? [`${step}: ${detail}`] : []))

test('counts are singular or plural', () => {
  expect(countsOf(1)).toEqual([
    'pay-group: 1 pay group',
    'billing-account: 1 account',
    'integration: 1 integration',
    'sftp-user: 1 user',
    'data-email: 1 address',
    'employee-mapping: 1 mapping',
    'timekeeping-mapping: 1 mapping',
    'ewa-mapping: 1 mapping',
    'confirmation-mapping: 1 mapping',
    'employees: 1 employee',
  ])
  expect(countsOf(2)).toContain('data-email: 2 addresses')
  expect(countsOf(2).filter((text) => !/: 2 \w+( \w+)?s$/.test(text) || /sss$/.test(text))).toEqual([])
})
