import {
  changeLmsConfiguration,
  getLmsConfiguration,
  type LmsConfiguration,
  putLmsConfiguration,
} from '#contract/configurations.ts'
import { change, on, route } from '#server/http/route.ts'
import { notFound } from '#server/http-error.ts'
import { ownedBy, type Owner } from '#server/tables/owners.ts'
import { lmsConfigurationOf, lmsOwnerOf, updateLmsConfiguration } from '#server/tables/lms-configurations.ts'

export const routes = [
  route(getLmsConfiguration, async ({ tx, actor, params }) => {
    const one = await lmsConfigurationOf(tx, actor, { type: 'EMPLOYER', id: params.id })
    if (!one) throw notFound()
    return one
  }),

  change<typeof putLmsConfiguration, LmsConfiguration>(putLmsConfiguration, {
    subject: async ({ tx, actor, params }) => {
      const owner = await lmsOwnerOf(tx, params.id)
      return owner && lmsConfigurationOf(tx, actor, owner, { lock: true })
    },
    target: (one) => ({ ...ownedBy(one), version: one.version }),
    snapshot: ({ id: _, version, organization_id, employer_id, ...values }) => values,
    // The GET of the same path needs an employer in its query.
    facts: async ({ subject }) => subject,
    intents: [
      on<typeof changeLmsConfiguration, LmsConfiguration>(
        changeLmsConfiguration,
        async ({ tx, actor, subject, params, body }) => {
          await updateLmsConfiguration(tx, subject.id, body)
          const after = (await lmsConfigurationOf(tx, actor, (await lmsOwnerOf(tx, params.id)) as Owner)) as LmsConfiguration
          return { after, answer: after }
        },
      ),
    ],
  }),
]
