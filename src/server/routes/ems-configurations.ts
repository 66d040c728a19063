import {
  type EmsConfiguration,
  getEmsConfiguration,
  listEmsConfigurations,
  saveEmsConfiguration,
} from '#contract/ems-configurations.ts'
import { validatePartnerLink } from '#domain/configuration.ts'
import { changing, route } from '#server/http/route.ts'
import { existing, invalid } from '#server/http-error.ts'
import { employerOrOrganization, ownedBy, ownerIn, ofNamedOwners } from '#server/tables/owners.ts'
import { emsConfigurationOf, saveEms } from '#server/tables/ems-configurations.ts'

export const routes = [
  route(getEmsConfiguration, async ({ tx, actor, params }) => {
    return existing(await emsConfigurationOf(tx, actor, { type: 'EMPLOYER', id: params.id }))
  }),

  route(listEmsConfigurations, async ({ tx, actor, query }) => ({
    configurations: await ofNamedOwners(query, (owner) => emsConfigurationOf(tx, actor, owner)),
  })),

  changing({
    subject: async ({ tx, actor, body }) =>
      emsConfigurationOf(tx, actor, await employerOrOrganization(tx, actor, body), { lock: true }),
    target: (one: EmsConfiguration) => ({ ...ownedBy(one), version: one.version }),
    snapshot: ({ link_type, partner_external_url, level }) => ({ link_type, partner_external_url, level }),
    answer: (one: EmsConfiguration) => one,
  })(saveEmsConfiguration, async ({ tx, actor, subject, body }) => {
    const { link_type, partner_external_url: url = null } = body
    const wrong = validatePartnerLink(link_type, url)
    if (wrong) throw invalid([{ path: 'partner_external_url', message: wrong }])
    await saveEms(tx, subject, { link_type, partner_external_url: link_type === 'NONE' ? null : url })
    return { after: (await emsConfigurationOf(tx, actor, ownerIn(subject))) as EmsConfiguration }
  }),
]
