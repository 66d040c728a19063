import { z } from 'zod'
import { configurationLevels } from '#domain/configuration.ts'
import { dataEmailLabels, dataEmailTypes, sameAsOther, startsWithZero, zeroFirst } from '#domain/data-email.ts'
import { all, any, byIntent } from '#domain/permissions.ts'
import { endpoint, intent } from '#contract/define.ts'
import { byId, choices, email, fieldMeta, idSchema, nothing, required, version, versionParam } from '#contract/fields.ts'
import { choiceFilter, filterParams } from '#contract/filter.ts'
import { Count, commaList, lek, listQuery } from '#contract/list.ts'

const reading = any('read:employers', 'read:organizations')
const needs = all('write:integrations')

/** An address that data files may come from by mail (ENT-132, ENT-133): of an employer, or of all employers of an organization. */
export const DataEmail = z.object({
  id: z.int(),
  type: z.enum(dataEmailTypes),
  email: z.string(),
  level: z.enum(configurationLevels),
  organization_id: z.int(),
  organization_name: z.string(),
  /** Null at the level of the organization. */
  employer_id: z.int().nullable(),
  employer_name: z.string().nullable(),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  version: z.int(),
})
export type DataEmail = z.infer<typeof DataEmail>

export const levelLabels = { ORGANIZATION: 'Organization', EMPLOYER: 'Employer' } as const

export const dataEmailFilters = [
  choiceFilter({ id: 'type', title: 'Type', values: dataEmailTypes, labels: dataEmailLabels }),
  choiceFilter({ id: 'level', title: 'Level', values: configurationLevels, labels: levelLabels }),
] as const

export const dataEmailSorts = ['email', 'id', 'type', 'employer', 'created_at'] as const

const filtered = {
  q: listQuery.q,
  'employer-id': commaList(idSchema).optional(),
  'organization-id': commaList(idSchema).optional(),
  email: z.string().trim().max(254).optional(),
  ...filterParams(dataEmailFilters),
}

export const listDataEmails = endpoint({
  method: 'GET',
  path: '/data-emails',
  summary: 'Addresses that data files may come from, of organizations and employers',
  tag: 'Integrations',
  params: nothing,
  specified: ['employer-id', 'organization-id', 'email'],
  query: z.object({ ...listQuery, ...filtered, sort: z.enum(dataEmailSorts).default('email') }),
  answer: z.object({ data_emails: z.array(DataEmail), lek }),
  needs: reading,
})

export const countDataEmails = endpoint({
  method: 'GET',
  path: '/data-emails/count',
  summary: 'How many data e-mails a filter has',
  tag: 'Integrations',
  params: nothing,
  query: z.object(filtered),
  answer: Count,
  needs: reading,
  extension: true,
})

export const getDataEmail = endpoint({
  method: 'GET',
  path: '/data-emails/{id}',
  summary: 'One data e-mail',
  tag: 'Integrations',
  params: byId,
  query: nothing,
  answer: DataEmail,
  needs: reading,
  extension: true,
})

const address = (title: string, type: (typeof dataEmailTypes)[number]) => {
  const schema = email(title).refine((value) => !startsWithZero(value), zeroFirst)
  fieldMeta.add(schema, { kind: 'e-mail', title, needed: true, when: { field: 'types', has: type } })
  return schema.optional()
}

/** What a form asks for: the types, and an address for each of them (DEM-005, DEM-006). */
export const dataEmailFields = {
  types: choices('Types', dataEmailTypes, dataEmailLabels),
  eligible_employee_email: address('Eligible employee e-mail', 'ELIGIBLE_EMPLOYEE'),
  timekeeping_email: address('Timekeeping e-mail', 'TIMEKEEPING'),
}

/** The field of a type's address. */
export const fieldOfType = {
  ELIGIBLE_EMPLOYEE: 'eligible_employee_email',
  TIMEKEEPING: 'timekeeping_email',
} as const satisfies Record<(typeof dataEmailTypes)[number], keyof typeof dataEmailFields>

interface Addresses {
  types: readonly (typeof dataEmailTypes)[number][]
  eligible_employee_email?: string | undefined
  timekeeping_email?: string | undefined
}

/** What is wrong with addresses that were typed, by field: the one of a chosen type is missing, or both are the same. */
export function judgeAddresses(typed: Addresses): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = typed.types.flatMap((type) =>
    typed[fieldOfType[type]] ? [] : [{ path: fieldOfType[type], message: required }],
  )
  const [employees, times] = dataEmailTypes.map((type) =>
    typed.types.includes(type) ? typed[fieldOfType[type]]?.toLowerCase() : undefined,
  )
  if (employees && employees === times) faults.push({ path: fieldOfType.TIMEKEEPING, message: sameAsOther('TIMEKEEPING') })
  return faults
}

export const postDataEmails = endpoint({
  method: 'POST',
  path: '/data-emails',
  summary: 'Add the addresses that files of employees, of timekeeping or of both may come from',
  tag: 'Integrations',
  params: nothing,
  query: nothing,
  answer: z.object({ data_emails: z.array(DataEmail) }),
  needs: byIntent,
  status: 201,
})

export const createDataEmails = intent(postDataEmails, {
  id: 'data-email.create',
  body: z.object({ organization_id: idSchema.optional(), employer_id: idSchema.optional(), ...dataEmailFields }),
  needs,
  event: 'Data e-mails added',
})

export const removeDataEmail = endpoint({
  method: 'DELETE',
  path: '/data-emails/{id}',
  summary: 'Delete a data e-mail: files from it are refused from then on',
  tag: 'Integrations',
  params: byId,
  query: versionParam,
  answer: DataEmail,
  needs: byIntent,
})

export const deleteDataEmail = intent(removeDataEmail, {
  id: 'data-email.delete',
  body: z.object({ version: version() }),
  needs,
  event: 'Data e-mail deleted',
})
