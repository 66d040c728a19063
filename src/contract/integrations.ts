import { z } from 'zod'
import { configurationLevels } from '#domain/configuration.ts'
import {
  atLeastOne,
  importTypeLabels,
  importTypes,
  integrationTypeLabels,
  integrationTypes,
  integrationVendors,
  providerProducts,
  sftpTypeLabels,
  sftpTypes,
  vendorLabels,
} from '#domain/integration.ts'
import { all, any, signedIn } from '#domain/permissions.ts'
import { DataEmail, levelLabels } from '#contract/data-emails.ts'
import { action, endpoint } from '#contract/define.ts'
import {
  choice,
  expected,
  type Extra,
  fieldMeta,
  idSchema,
  oneOf,
  onOff,
  required,
  secret,
  text,
  version,
} from '#contract/fields.ts'
import { choiceFilter, filterParams } from '#contract/filter.ts'
import { Count, commaList, lek, listQuery } from '#contract/list.ts'
import { SftpUser } from '#contract/sftp-users.ts'

const reading = any('read:employers', 'read:organizations')
const needs = all('write:integrations')
const vendorIds = integrationVendors.map(({ id }) => id) as [string, ...string[]]

/** How data of one kind arrive (ENT-128 to ENT-131). Credentials for external servers are never returned. */
export const Integration = z.object({
  id: z.int(),
  type: z.enum(integrationTypes),
  import_type: z.enum(importTypes),
  level: z.enum(configurationLevels),
  organization_id: z.int(),
  organization_name: z.string(),
  /** Null at organization level. */
  employer_id: z.int().nullable(),
  employer_name: z.string().nullable(),
  vendor: z.string().nullable(),
  product: z.string().nullable(),
  url: z.string().nullable(),
  sftp_type: z.enum(sftpTypes).nullable(),
  username: z.string().nullable(),
  /** Authentication method at an external SFTP server. */
  authentication: z.enum(['PASSWORD', 'SSH_KEY']).nullable(),
  incremental: z.boolean(),
  terminated_values: z.array(z.string()),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  updated_at: z.iso.datetime(),
  version: z.int(),
  /** With `include=data-emails`: its sender addresses. */
  data_emails: z.array(DataEmail).optional(),
  /** With `include=sftp-users`: who uploads it to our server. */
  sftp_users: z.array(SftpUser).optional(),
})
export type Integration = z.infer<typeof Integration>

export const integrationIncludes = ['data-emails', 'sftp-users'] as const

export const integrationFilters = [
  choiceFilter({ id: 'type', title: 'Type', values: integrationTypes, labels: integrationTypeLabels }),
  choiceFilter({ id: 'import', title: 'Import', values: importTypes, labels: importTypeLabels, param: 'import-type' }),
  choiceFilter({ id: 'level', title: 'Level', values: configurationLevels, labels: levelLabels }),
  choiceFilter({ id: 'vendor', title: 'Vendor', values: vendorIds, labels: vendorLabels }),
] as const

export const integrationSorts = ['id', 'type', 'import_type', 'employer', 'vendor', 'updated_at'] as const

const filtered = {
  q: listQuery.q,
  'employer-id': commaList(idSchema).optional(),
  'organization-id': commaList(idSchema).optional(),
  ...filterParams(integrationFilters),
}

const call = { tag: 'Integrations', needs: reading, method: 'GET' } as const

export const searchIntegrations = endpoint({
  ...call,
  path: '/integrations/search',
  summary: 'Integrations of organizations and employers',
  specified: ['type', 'employer-id', 'organization-id', 'level', 'include'],
  query: z.object({
    ...listQuery,
    ...filtered,
    include: commaList(z.enum(integrationIncludes)).optional(),
    sort: z.enum(integrationSorts).default('id'),
  }),
  answer: z.object({ integrations: z.array(Integration), lek }),
})

export const countIntegrations = endpoint({
  ...call,
  path: '/integrations/search/count',
  summary: 'How many integrations a filter has',
  query: z.object(filtered),
  answer: Count,
  extension: true,
})

export const getIntegration = endpoint({
  ...call,
  path: '/integrations/{id}',
  summary: 'One integration',
  answer: Integration,
  extension: true,
})

const named = z.object({ id: z.string(), name: z.string() })

export const getIntegrationMetadata = endpoint({
  method: 'GET',
  path: '/integrations/metadata',
  summary: 'What integrations can be: types, vendors, and the products of payroll providers',
  tag: 'Integrations',
  answer: z.object({
    types: z.array(named),
    import_types: z.array(named),
    sftp_types: z.array(named),
    vendors: z.array(
      named.extend({ supports_timekeeping: z.boolean(), products: z.array(named.extend({ supports_timekeeping: z.boolean() })) }),
    ),
  }),
  needs: signedIn,
})

type Metadata = z.output<typeof getIntegrationMetadata.answer>
const asOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

/** The vendor of an integration, one of those that the API supports. */
const vendorField = (extra: Extra = {}) =>
  oneOf('Vendor', integrationVendors.map(asOption), {
    listedBy: { call: getIntegrationMetadata, options: ({ vendors }: Metadata) => vendors.map(asOption) },
    ...extra,
  })

const importTypesField = z.array(z.enum(importTypes), { error: atLeastOne }).min(1, atLeastOne)
fieldMeta.add(importTypesField, { kind: 'choices', title: 'Imports', labels: importTypeLabels })
const terminatedValues = z.array(z.string().trim().min(1).max(60, 'At most 60 characters')).min(1, required).max(50)
fieldMeta.add(terminatedValues, {
  kind: 'chips',
  title: 'Terminated values',
  needed: true,
  help: 'What the status column says of somebody who left; Enter adds one',
  when: { field: 'incremental', is: true },
})
/** Only for external servers. */
const elsewhere = { when: { field: 'channel', is: 'SFTP_EXTERNAL' } } as const

/** The fields of new integrations, one per import (ITG-001 to ITG-005, VAL-013, VAL-014). */
export const integrationFields = {
  type: choice('Type', integrationTypes, integrationTypeLabels),
  import_types: importTypesField,
  product: oneOf('Payroll provider product adapter', providerProducts.map(asOption), {
    listedBy: {
      call: getIntegrationMetadata,
      options: ({ vendors }: Metadata) => vendors.flatMap(({ products }) => products.map(asOption)),
    },
    needed: true,
    when: { field: 'channel', is: 'API' },
  }).optional(),
  sftp_type: choice('SFTP server', sftpTypes, sftpTypeLabels).optional(),
  url: text('URL', 500, { needed: true, when: { field: 'channel', in: ['API', 'SFTP_EXTERNAL'] } }).optional(),
  username: text('Username', 100, { needed: true, ...elsewhere }).optional(),
  password: secret('Password', z.string({ error: required }).min(1, required).max(256, 'At most 256 characters'), {
    help: 'Or an SSH key below',
    ...elsewhere,
  }).optional(),
  ssh_key: secret(
    'SSH private key',
    z.string({ error: required }).trim().min(1, required).max(20_000, 'At most 20,000 characters'),
    {
      lines: true,
      help: 'Instead of a password; it is encrypted and never shown',
      ...elsewhere,
    },
  ).optional(),
  vendor: vendorField({
    help: 'Whose files they are',
    when: { field: 'channel', in: ['EMAIL', 'SFTP_INTERNAL', 'SFTP_EXTERNAL', 'CSV'] },
  }).optional(),
  incremental: onOff('Incremental', { needed: true, help: 'Files have only what changed' }).default(false),
  terminated_values: terminatedValues.optional(),
}

export const createIntegration = action({
  method: 'POST',
  path: '/integrations',
  summary: 'Create the integration of each import of an organization, or of an employer',
  tag: 'Integrations',
  answer: z.object({ integrations: z.array(Integration) }),
  status: 201,
  id: 'integration.create',
  body: z.object({ organization_id: idSchema.optional(), employer_id: idSchema.optional(), ...integrationFields }),
  needs,
  event: 'Integration added',
})

export const setVendor = action({
  method: 'PATCH',
  path: '/integrations',
  summary: 'Set the vendor of integrations of one organization: of all that are named, or of none',
  tag: 'Integrations',
  answer: z.object({ integrations: z.array(Integration) }),
  id: 'integration.set-vendor',
  body: z.object({
    vendor: vendorField(),
    integration_ids: z.array(idSchema, { error: atLeastOne }).min(1, atLeastOne).max(200),
    /** Versions that the user saw, by id; any stale one is refused. */
    expected: expected().optional(),
  }),
  needs,
  event: 'Vendor changed',
})

export const deleteIntegration = action({
  method: 'DELETE',
  path: '/integrations/{id}',
  summary: 'Delete an integration; answers what it was',
  tag: 'Integrations',
  answer: Integration,
  id: 'integration.delete',
  body: z.object({ version: version() }),
  needs,
  event: 'Integration deleted',
})
