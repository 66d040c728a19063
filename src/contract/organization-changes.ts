import { z } from 'zod'
import { brands } from '#domain/brand.ts'
import { companyStatuses } from '#domain/company.ts'
import { all } from '#domain/permissions.ts'
import { publicKeyProblem } from '#domain/public-key.ts'
import { action } from '#contract/define.ts'
import { choice, fieldMeta, longText, reference, required, text, version } from '#contract/fields.ts'
import { Organization } from '#contract/organizations.ts'

const needs = all('write:organizations')

/** The brand of a company. */
export const brandField = (extra?: { step?: string }) =>
  choice(
    'Brand',
    brands.map(({ id }) => id) as [string, ...string[]],
    Object.fromEntries(brands.map(({ id, name }) => [id, name])),
    extra,
  )

/** Editable fields of an organization (VAL-011). */
const fields = {
  name: text('Name', 200),
  lookup_name: text('Lookup name', 200, { help: 'As other systems call it' }),
  brand: brandField(),
  source_code: text('Source code', 60),
  csm_id: reference('Customer success manager', 'customer-success-manager').nullable().optional(),
  notes: longText('Notes', 2_000).nullable().optional(),
}

/** The form that sets the customer success manager; an empty value removes it. */
export const csmForm = z.object({ csm_id: fields.csm_id })

/** An OpenPGP public key. The server parses it and refuses what its text does not show (VAL-012). */
const encryptionKey = z
  .string({ error: required })
  .trim()
  .min(1, { error: required, abort: true })
  .max(50_000, { error: 'At most 50,000 characters', abort: true })
  .superRefine((armored, context) => {
    const message = publicKeyProblem(armored)
    if (message) context.addIssue({ code: 'custom', message })
  })
fieldMeta.add(encryptionKey, {
  kind: 'text',
  title: 'Public key',
  lines: true,
  unkept: true,
  help: 'OpenPGP, from -----BEGIN PGP PUBLIC KEY BLOCK----- to its end',
})

/** The form that sets the key. */
export const encryptionKeyForm = z.object({ encryption_key: encryptionKey })

export const createOrganization = action({
  method: 'POST',
  path: '/organizations',
  summary: 'Create an organization; it begins active',
  tag: 'Organizations',
  answer: Organization,
  status: 201,
  id: 'organization.create',
  body: z.object(fields),
  needs,
  event: 'Created',
})

export const editOrganization = action({
  method: 'PUT',
  path: '/organizations/{id}',
  summary: 'Change an organization: what is left out is cleared where it may be',
  tag: 'Organizations',
  answer: Organization,
  id: 'organization.edit',
  body: z.object({
    ...fields,
    /** Unchanged if omitted; null removes it. */
    encryption_key: encryptionKey.nullable().optional(),
    status: choice('Status', companyStatuses.values, companyStatuses.labels, {
      help: 'Inactive only once none of its employers is active',
    }),
    version: version(),
  }),
  needs,
  event: 'Changed',
})
