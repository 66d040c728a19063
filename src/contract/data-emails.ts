import { z } from 'zod'
import { configurationLevels } from '#domain/configuration.ts'
import { dataEmailLabels, dataEmailTypes, startsWithZero, zeroFirst } from '#domain/data-email.ts'
import { all, any } from '#domain/permissions.ts'
import { action } from '#contract/define.ts'
import { email, idSchema, version } from '#contract/fields.ts'
import { choiceFilter } from '#contract/filter.ts'
import { commaList } from '#contract/list.ts'
import { resource } from '#contract/resource.ts'

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

export const {
  list: listDataEmails,
  count: countDataEmails,
  get: getDataEmail,
} = resource(
  { path: '/data-emails', needs: reading, extension: false },
  {
    one: 'data e-mail',
    many: 'data e-mails',
    tag: 'Integrations',
    row: DataEmail,
    rows: 'data_emails',
    filters: dataEmailFilters,
    sorts: dataEmailSorts,
    sort: 'email',
    specified: ['employer-id', 'organization-id', 'email'],
    narrowing: {
      'employer-id': commaList(idSchema).optional(),
      'organization-id': commaList(idSchema).optional(),
      email: z.string().trim().max(254).optional(),
    },
  },
)

/** A sender address of data files (DEM-001, DEM-004). */
export const dataEmailAddress = (title?: string) => email(title).refine((value) => !startsWithZero(value), zeroFirst)

export const createDataEmail = action({
  method: 'POST',
  path: '/data-emails',
  summary: 'Add an address that files of employees or of timekeeping may come from, for an organization or an employer',
  tag: 'Integrations',
  query: z.object({
    'employer-id': idSchema.optional(),
    'organization-id': idSchema.optional(),
    email: dataEmailAddress().optional(),
  }),
  specified: ['employer-id', 'organization-id', 'email'],
  parameters: ['employer_id', 'organization_id'],
  answer: z.object({ data_emails: z.array(DataEmail) }),
  status: 201,
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

export const deleteDataEmail = action({
  method: 'DELETE',
  path: '/data-emails/{id}',
  summary: 'Delete a data e-mail: files from it are refused from then on',
  tag: 'Integrations',
  answer: DataEmail,
  id: 'data-email.delete',
  body: z.object({ version: version() }),
  needs,
  event: 'Data e-mail deleted',
})
