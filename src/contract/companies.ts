import { z } from 'zod'
import { all, any } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { byId, idSchema, nothing } from '#contract/fields.ts'
import { commaList, lek, listQuery } from '#contract/list.ts'

/** An employer as a lookup tells it; the employer's own screens add the rest. */
export const Employer = z.object({
  id: z.int(),
  internal_name: z.string(),
  external_name: z.string(),
  external_code: z.string(),
  brand: z.string(),
  status: z.enum(['ACTIVE', 'INACTIVE']),
  organization_id: z.int(),
  organization_name: z.string(),
  version: z.int(),
})
export type Employer = z.infer<typeof Employer>

export const Organization = z.object({
  id: z.int(),
  name: z.string(),
  lookup_name: z.string(),
  brand: z.string(),
  source_code: z.string(),
  status: z.enum(['ACTIVE', 'INACTIVE']),
  version: z.int(),
})
export type Organization = z.infer<typeof Organization>

const ids = commaList(idSchema).optional()
const word = z.string().trim().min(1).max(200).optional()

export const listEmployers = endpoint({
  method: 'GET',
  path: '/employers',
  summary: 'Employers, by cursor',
  tag: 'Employers',
  params: nothing,
  specified: ['sort', 'id', 'limit', 'lek', 'name', 'status', 'organization-id', 'external-code', 'lookup-name', 'brand'],
  query: z.object({
    ...listQuery,
    sort: z.enum(['id', 'name']).default('name'),
    id: ids,
    name: word,
    status: z.enum(['ACTIVE', 'INACTIVE']).optional(),
    'organization-id': ids,
    'external-code': word,
    'lookup-name': word,
    brand: word,
  }),
  answer: z.object({ employers: z.array(Employer), lek }),
  needs: all('read:employers'),
})

export const getEmployer = endpoint({
  method: 'GET',
  path: '/employers/{id}',
  summary: 'One employer',
  tag: 'Employers',
  params: byId,
  query: nothing,
  answer: Employer,
  needs: all('read:employers'),
})

export const listOrganizations = endpoint({
  method: 'GET',
  path: '/organizations',
  summary: 'Organizations, by cursor',
  tag: 'Organizations',
  params: nothing,
  specified: ['limit', 'sort', 'sort-order', 'name', 'status', 'lek', 'id', 'lookup-name', 'source-code'],
  query: z.object({
    ...listQuery,
    limit: listQuery.limit.unwrap().default(30),
    sort: z.enum(['id', 'name']).default('name'),
    id: ids,
    name: word,
    status: z.enum(['ACTIVE', 'INACTIVE']).optional(),
    'lookup-name': word,
    'source-code': word,
  }),
  answer: z.object({ organizations: z.array(Organization), lek }),
  needs: any('read:organizations'),
})

export const getOrganization = endpoint({
  method: 'GET',
  path: '/organizations/{id}',
  summary: 'One organization',
  tag: 'Organizations',
  params: byId,
  query: nothing,
  answer: Organization,
  needs: any('read:organizations'),
})
