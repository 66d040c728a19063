import { z } from 'zod'
import { type DeductionConfiguration, deductionFields, listDeductionConfigurations } from '#contract/deduction-configurations.ts'
import { isolated } from '#domain/text.ts'
import type { Read } from '#kernel/command.ts'
import { changesIn } from '#kernel/page-form.ts'

/** The fields of a deduction configuration. */
export const deductionForm = z.object(deductionFields)
export type DeductionParams = z.infer<typeof deductionForm>

const names = deductionForm.keyof().options

/** The fields as they are saved. */
export const savedDeductions = (now: DeductionConfiguration): DeductionParams => deductionForm.parse(now)

/** What of the fields is not as it is saved, as the API takes it. */
export const changedDeductions = (params: DeductionParams, now: DeductionConfiguration) => ({
  ...changesIn(params, savedDeductions(now)),
  version: now.version,
})

/** Where the values come from that are not the employer's own, by field. */
export const inheritedDeductions = ({ id, level, organization_name }: DeductionConfiguration): Record<string, string | null> =>
  level === 'EMPLOYER' ? {} : Object.fromEntries(names.map((name) => [name, id === null ? null : isolated(organization_name)]))

/** Reads what holds for the owner that the query names. */
export async function readDeductions(read: Read, owner: Record<string, string>): Promise<DeductionConfiguration> {
  const { configurations } = await read(listDeductionConfigurations, {}, owner)
  const [now] = configurations
  if (!now) throw new Error('The API told no deduction configuration.')
  return now
}
