import {
  type EmsConfiguration,
  getEmsConfiguration,
  listEmsConfigurations,
  postEmsConfiguration,
  saveEmsConfiguration,
} from '#contract/ems-configurations.ts'
import { validatePartnerLink } from '#domain/configuration.ts'
import { change, on, route } from '#server/http/route.ts'
import { invalid, notFound } from '#server/http-error.ts'
import { employerOrOrganization, ownedBy, ownerIn, ofNamedOwners } from '#server/tables/owners.ts'
import { emsConfigurationOf, saveEms } from '#server/tables/ems-configurations.ts'

export const routes = [
  route(getEmsConfiguration, async ({ tx, actor, params }) => {
    const one = await emsConfigurationOf(tx, actor, { type: 'EMPLOYER', id: params.id })
    if (!one) throw notFound()
    return one
  }),

  route(listEmsConfigurations, async ({ tx, actor, query }) => ({
    configurations: await ofNamedOwners(query, (owner) => emsConfigurationOf(tx, actor, owner)),
  })),

  change<typeof postEmsConfiguration, EmsConfiguration>(postEmsConfiguration, {
    subject: async ({ tx, actor, body }) =>
      emsConfigurationOf(tx, actor, await employerOrOrganization(tx, actor, body), { lock: true }),
    target: (one) => ({ ...ownedBy(one), version: one.version }),
    snapshot: ({ link_type, partner_external_url, level }) => ({ link_type, partner_external_url, level }),
    facts: async ({ subject }) => subject,
    intents: [
      on<typeof saveEmsConfiguration, EmsConfiguration>(saveEmsConfiguration, async ({ tx, actor, subject, body }) => {
        const { link_type, partner_external_url: url = null } = body
        const wrong = validatePartnerLink(link_type, url)
        if (wrong) throw invalid([{ path: 'partner_external_url', message: wrong }])
        await saveEms(tx, subject, { link_type, partner_external_url: link_type === 'NONE' ? null : url })
        const after = (await emsConfigurationOf(tx, actor, ownerIn(subject))) as EmsConfiguration
        return { after, answer: after }
      }),
    ],
  }),
]
