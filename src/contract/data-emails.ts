import { z } from 'zod'
import { configurationLevels } from '#domain/configuration.ts'
import { dataEmailLabels, dataEmailTypes, startsWithZero, zeroFirst } from '#domain/data-email.ts'
import { all, any, byIntent } from '#domain/permissions.ts'
import { endpoint, intent } from '#contract/define.ts'
import { byId, email, idSchema, nothing, version, versionParam } from '#contract/fields.ts'
import { choiceFilter, filterParams } from '#contract/filter.ts'
import { Count, commaList, lek, listQuery } from '#contract/list.ts'

const reading = any('read:employers', 'read:organizations')
const needs = all('write:integrations')

/** A sender address of data files (ENT-132, ENT-133): of an employer, or of all employers of an organization. */
export const DataEmail = z.object({
  id: z.int(),
  type: z.enum(dataEmailTypes),
  email: z.string(),
  level: z.enum(configurationLevels),
  organization_id: z.int(),
  organization_name: z.string(),
  /** Null at organization level. */
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

/** A sender address of data files (DEM-001, DEM-004). */
export const dataEmailAddress = (title?: string) => email(title).refine((value) => !startsWithZero(value), zeroFirst)

export const postDataEmail = endpoint({
  method: 'POST',
  path: '/data-emails',
  summary: 'Add an address that files of employees or of timekeeping may come from, for an organization or an employer',
  tag: 'Integrations',
  params: nothing,
  query: z.object({
    'employer-id': idSchema.optional(),
    'organization-id': idSchema.optional(),
    email: dataEmailAddress().optional(),
  }),
  specified: ['employer-id', 'organization-id', 'email'],
  parameters: ['employer_id', 'organization_id'],
  answer: z.object({ data_emails: z.array(DataEmail) }),
  needs: byIntent,
  status: 201,
})

export const createDataEmail = intent(postDataEmail, {
  id: 'data-email.create',
  body: z.object({
    organization_id: idSchema.optional(),
    employer_id: idSchema.optional(),
    email: dataEmailAddress(),
    /** An extension: the specification has two kinds and no field for them. */
    type: z.enum(dataEmailTypes).default('ELIGIBLE_EMPLOYEE'),
  }),
  needs,
  event: 'Data e-mail added',
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
