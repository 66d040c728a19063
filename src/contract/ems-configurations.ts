import { z } from 'zod'
import { configurationLevels, linkLabels, linkTypes } from '#domain/configuration.ts'
import { all, any, byTarget } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { choice, idSchema, text, version } from '#contract/fields.ts'

/** How employees of an employer reach the portal of the partner that manages them, or what an organization passes on of that. */
export const EmsConfiguration = z.object({
  /** The configuration with these values; null if nobody has created one. */
  id: z.int().nullable(),
  level: z.enum(configurationLevels),
  organization_id: z.int(),
  organization_name: z.string(),
  /** The requested employer; null for an organization's own. */
  employer_id: z.int().nullable(),
  link_type: z.enum(linkTypes),
  partner_external_url: z.string().nullable(),
  version: z.int(),
})
export type EmsConfiguration = z.infer<typeof EmsConfiguration>

const section = 'Employee management system'
/** The values; the address is required unless the link type is none (docs/rules/companies.md). */
export const emsFields = {
  link_type: choice('Link', linkTypes, linkLabels, { section, help: "How people reach the partner's portal" }),
  partner_external_url: text('Partner URL', 500, { section, help: 'Begins with https://' }).nullable().optional(),
}

const tag = 'Configurations'
const needs = any('read:employers', 'read:organizations')

export const getEmsConfiguration = endpoint({
  method: 'GET',
  path: '/configurations/ems/{id}',
  summary: 'How the people of the employer of this id reach the portal of a partner',
  tag,
  answer: EmsConfiguration,
  needs,
})

export const listEmsConfigurations = endpoint({
  method: 'GET',
  path: '/configurations/ems',
  summary: 'How people reach the portal of a partner, of an employer and of an organization',
  tag,
  query: z.object({ 'employer-id': idSchema.optional(), 'organization-id': idSchema.optional() }),
  answer: z.object({ configurations: z.array(EmsConfiguration) }),
  needs,
  extension: true,
})

export const saveEmsConfiguration = action({
  method: 'POST',
  path: '/configurations/ems',
  summary: 'Create or replace the EMS configuration of an employer or an organization',
  tag,
  answer: EmsConfiguration,
  id: 'configuration.save-ems',
  /** An employer, with or without its organization, or an organization alone. */
  body: z.object({ employer_id: idSchema.nullish(), organization_id: idSchema.nullish(), ...emsFields, version: version() }),
  needs: byTarget(['write:employers', 'write:organizations'], (owner: { employer_id?: number | null }) =>
    all(owner.employer_id === null ? 'write:organizations' : 'write:employers'),
  ),
  event: 'EMS configuration saved',
})
