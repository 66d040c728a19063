import type { Employer } from '#contract/employers.ts'
import { listOnboardingSteps, type OnboardingStepRow } from '#contract/onboarding.ts'
import type { MappingKind } from '#domain/mapping-fields.ts'
import { onboardingStates, type OnboardingStep } from '#domain/onboarding.ts'
import { employer } from '#entities/employer.ts'
import { organization } from '#entities/organization.ts'
import type { Lead } from '#portal/list/definition.ts'
import type { Column } from '#portal/list/pane.ts'
import { states } from '#portal/nouns/columns.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

const columns: readonly Column<OnboardingStepRow>[] = [
  // What is missing is shown below its step, so that it is visible in a narrow list, too.
  {
    id: 'step',
    title: 'Step',
    width: [260, 2],
    keep: 3,
    text: (one) => `${one.title}: ${one.detail}`,
    draw: (one) => (
      <>
        <strong>{one.title}</strong>
        <small>{one.detail}</small>
      </>
    ),
  },
  states('state', 'State', 88, onboardingStates, (one) => one.state, { keep: 3 }),
]

/** Where each step is completed: a command on the employer or its organization, or a tab of the employer. */
const leads: Readonly<Record<OnboardingStep, (row: OnboardingStepRow) => Lead>> = {
  csm: (row) => onOrganization('organization.set-csm', row),
  configuration: (row) => onEmployer('employer.configure', row),
  lms: (row) => onEmployer('employer.configure-lms', row),
  deductions: (row) => onEmployer('employer.configure-deductions', row),
  // A derived group is confirmed in its tab.
  'pay-group': (row) =>
    /to confirm$|^\d/.test(row.detail) ? { tab: 'payroll-group' } : onEmployer('employer.add-pay-group', row),
  'billing-account': (row) => onOrganization('organization.add-billing-account', row),
  integration: (row) => onEmployer('employer.add-integration', row),
  folder: (row) => onOrganization('organization.configure-folder', row),
  'sftp-user': (row) => ({ run: 'sftp-user.create', params: { organization_id: row.organization_id } }),
  'data-email': (row) => onEmployer('employer.add-data-emails', row),
  'employee-mapping': (row) => onEmployer('employer.add-mapping', row, { kind: 'EMPLOYEE' }),
  'timekeeping-mapping': (row) => onEmployer('employer.add-mapping', row, { kind: 'TIMEKEEPING' }),
  'ewa-mapping': (row) => onEmployer('employer.add-mapping', row, { kind: 'DEDUCTION' }),
  'confirmation-mapping': (row) => onEmployer('employer.add-mapping', row, { kind: 'CONFIRMATION' }),
  encryption: (row) => onOrganization('organization.set-encryption-key', row),
  employees: (row) => onEmployer(row.state === 'MISSING' ? 'employer.import-file' : 'employer.employees', row),
  active: (row) => onEmployer('employer.activate', row),
  onboarded: (row) => onEmployer('employer.onboarded.set', row),
}

const onEmployer = (run: string, row: OnboardingStepRow, params: { kind?: MappingKind } = {}): Lead => ({
  run,
  on: { entity: employer, id: String(row.employer_id) },
  params,
})
const onOrganization = (run: string, row: OnboardingStepRow): Lead => ({
  run,
  on: { entity: organization, id: String(row.organization_id) },
})

/** The tab Onboarding of an employer: what is set and what is missing before it goes live. Enter opens a step. */
export const EmployerOnboarding = tabList<Employer>({
  of: employer,
  tab: 'onboarding',
  rows: { name: 'onboarding-step', id: (one: OnboardingStepRow) => one.id, version: () => 0 },
  list: () => ({
    title: 'Onboarding',
    many: 'steps',
    columns,
    none: 'There is nothing to do.',
    leadsTo: (row: OnboardingStepRow) => leads[row.step](row),
    source: {
      endpoint: listOnboardingSteps,
      at: (id) => ({ id }),
      rows: (answer: { steps: OnboardingStepRow[] }) => answer.steps,
    },
  }),
})
