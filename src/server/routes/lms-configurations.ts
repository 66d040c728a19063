import { changeLmsConfiguration, getLmsConfiguration, type LmsConfiguration } from '#contract/configurations.ts'
import { changing, route } from '#server/http/route.ts'
import { existing } from '#server/http-error.ts'
import { ownedBy, type Owner } from '#server/tables/owners.ts'
import { lmsConfigurationOf, lmsOwnerOf, updateLmsConfiguration } from '#server/tables/lms-configurations.ts'

export const routes = [
  route(getLmsConfiguration, async ({ tx, actor, params }) => {
    return existing(await lmsConfigurationOf(tx, actor, { type: 'EMPLOYER', id: params.id }))
  }),

  changing({
    subject: async ({ tx, actor, params }) => {
      const owner = await lmsOwnerOf(tx, params.id)
      return owner && lmsConfigurationOf(tx, actor, owner, { lock: true })
    },
    target: (one: LmsConfiguration) => ({ ...ownedBy(one), version: one.version }),
    snapshot: ({ id: _, version, organization_id, employer_id, ...values }: LmsConfiguration) => values,
    answer: (one: LmsConfiguration) => one,
  })(changeLmsConfiguration, async ({ tx, actor, subject, params, body }) => {
    await updateLmsConfiguration(tx, subject.id, body)
    return { after: (await lmsConfigurationOf(tx, actor, (await lmsOwnerOf(tx, params.id)) as Owner)) as LmsConfiguration }
  }),
]
