import { z } from 'zod'
import { type DeductionConfiguration, deductionFields, listDeductionConfigurations } from '#contract/deduction-configurations.ts'
import type { Employer } from '#contract/employers.ts'
import { isolated } from '#domain/text.ts'
import type { Read } from '#kernel/command.ts'
import { changesIn } from '#kernel/page-form.ts'

/** The fields of a deduction configuration. */
export const deductionForm = z.object(deductionFields)
export type DeductionParams = z.infer<typeof deductionForm>

const names = deductionForm.keyof().options

/** The saved values of the fields. */
export const savedDeductions = (now: DeductionConfiguration): DeductionParams => deductionForm.parse(now)

/** The changed fields, as the API takes them. */
export const changedDeductions = (params: DeductionParams, now: DeductionConfiguration) => ({
  ...changesIn(params, savedDeductions(now)),
  version: now.version,
})

/** The owner of inherited values, by field. */
export const inheritedDeductions = ({ id, level, organization_name }: DeductionConfiguration): Record<string, string | null> =>
  level === 'EMPLOYER' ? {} : Object.fromEntries(names.map((name) => [name, id === null ? null : isolated(organization_name)]))

/** Reads what an organization passes on. */
export async function readDeductionsOfOrganization(read: Read, id: number): Promise<DeductionConfiguration> {
  const { configurations } = await read(listDeductionConfigurations, {}, { 'organization-id': String(id) })
  const [now] = configurations
  return now ?? { ...defaults, organization_id: id }
}

/** Reads the values that apply to an employer. If an API only returns own configurations, the client resolves the inheritance. */
export async function readDeductionsOfEmployer(
  read: Read,
  { id, organization_id }: Pick<Employer, 'id' | 'organization_id'>,
): Promise<DeductionConfiguration> {
  const { configurations } = await read(listDeductionConfigurations, {}, { 'employer-id': String(id) })
  const [now] = configurations
  return now ?? { ...(await readDeductionsOfOrganization(read, organization_id)), employer_id: id }
}

/** Defaults without any configuration (docs/rules/companies.md): nothing rolls over, and EWA files are sent. */
const defaults: Omit<DeductionConfiguration, 'organization_id'> = {
  id: null,
  level: 'ORGANIZATION',
  organization_name: '',
  employer_id: null,
  allowed_rollover_percentage: 0,
  should_send_ewa_file: true,
  should_send_empty_ewa_file: false,
  auto_approve_ewa_file: false,
  employee_identifier_type: 'EMPLOYEE_ID',
  split_confirmation_file: false,
  receives_confirmations: false,
  receive_multiple_confirmations: false,
  send_ewa_email: false,
  real_time_deductions: false,
  version: 0,
}
