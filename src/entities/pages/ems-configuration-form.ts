import { z } from 'zod'
import { type EmsConfiguration, emsFields, listEmsConfigurations } from '#contract/ems-configurations.ts'
import { text } from '#contract/fields.ts'
import { validatePartnerLink } from '#domain/configuration.ts'
import { isolated } from '#domain/text.ts'
import type { Read } from '#kernel/command.ts'

const url = (is: string) =>
  ({
    section: 'Employee management system',
    help: 'Begins with https://',
    needed: true,
    when: { field: 'link_type', is },
  }) as const

/** The fields of an EMS configuration: a redirect and an embedded portal each have an address. */
export const emsForm = z
  .object({
    link_type: emsFields.link_type,
    redirect_url: text('Partner URL', 500, url('REDIRECT')).optional(),
    embedded_url: text('Partner URL', 500, url('EMBEDDED')).optional(),
  })
  .superRefine((params, context) => {
    const wrong = validatePartnerLink(params.link_type, addressIn(params))
    const path = [params.link_type === 'EMBEDDED' ? 'embedded_url' : 'redirect_url']
    if (wrong) context.addIssue({ code: 'custom', path, message: wrong })
  })
export interface EmsParams extends Record<string, unknown> {
  link_type: EmsConfiguration['link_type']
  redirect_url?: string | undefined
  embedded_url?: string | undefined
}

const addressIn = ({ link_type, redirect_url, embedded_url }: EmsParams): string | null =>
  (link_type === 'REDIRECT' ? redirect_url : link_type === 'EMBEDDED' ? embedded_url : null) ?? null

/** The saved values of the fields. */
export const savedEms = ({ link_type, partner_external_url: url }: EmsConfiguration): EmsParams => ({
  link_type,
  ...(url && link_type === 'REDIRECT' ? { redirect_url: url } : {}),
  ...(url && link_type === 'EMBEDDED' ? { embedded_url: url } : {}),
})

/** The values of the fields, as the API takes them. */
export const emsValues = (params: EmsParams, now: EmsConfiguration) => ({
  link_type: params.link_type,
  partner_external_url: addressIn(params),
  version: now.version,
})

/** The owner of inherited values, by field. */
export const inheritedEms = ({ id, level, organization_name }: EmsConfiguration): Record<string, string | null> =>
  level === 'EMPLOYER'
    ? {}
    : Object.fromEntries(
        ['link_type', 'redirect_url', 'embedded_url'].map((name) => [name, id === null ? null : isolated(organization_name)]),
      )

/** Reads what an organization passes on; for an employer its own call returns what applies. */
export async function readEmsOfOrganization(read: Read, id: string): Promise<EmsConfiguration> {
  const { configurations } = await read(listEmsConfigurations, {}, { 'organization-id': id })
  const [now] = configurations
  if (!now) throw new Error('The API returned no EMS configuration.')
  return now
}
