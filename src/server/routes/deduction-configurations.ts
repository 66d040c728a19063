import {
  changeDeductionConfiguration,
  createDeductionConfiguration,
  type DeductionConfiguration,
  type DeductionValues,
  listDeductionConfigurations,
  postDeductionConfiguration,
  putDeductionConfiguration,
} from '#contract/deduction-configurations.ts'
import type { Actor } from '#server/access/actor.ts'
import { change, on, route } from '#server/http/route.ts'
import { ownerOf } from '#server/tables/configurations.ts'
import { namedOwner, ownedBy, ownerIn, ofNamedOwners } from '#server/tables/owners.ts'
import type { Tx } from '#server/tables/database.ts'
import {
  deductionConfigurationOf,
  deductionConfigurations,
  type DeductionSettings,
  insertDeductionConfiguration,
  updateDeductionConfiguration,
} from '#server/tables/deduction-configurations.ts'

/** The audit snapshot: the settings without their owner. */
const snapshot = ({ id: _, version, organization_id, organization_name, employer_id, ...values }: DeductionConfiguration) =>
  values
const target = (one: DeductionConfiguration) => ({ ...ownedBy(one), version: one.version })
const facts = async ({ subject }: { subject: DeductionConfiguration }) => subject

interface SaveContext {
  tx: Tx
  actor: Actor
  subject: DeductionConfiguration
  body: DeductionValues
}

/** Saves the submitted values over the effective ones. */
const saveWith =
  (save: typeof insertDeductionConfiguration) =>
  async ({ tx, actor, subject, body }: SaveContext) => {
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const settings: DeductionSettings = { ...subject, ...sent }
    await save(tx, subject, settings)
    const after = (await deductionConfigurationOf(tx, actor, ownerIn(subject))) as DeductionConfiguration
    return { after, answer: after }
  }

export const routes = [
  route(listDeductionConfigurations, async ({ tx, actor, query }) => ({
    configurations:
      query['employer-id'] === undefined && query['organization-id'] === undefined
        ? await deductionConfigurations(tx, actor)
        : await ofNamedOwners(query, (owner) => deductionConfigurationOf(tx, actor, owner)),
  })),

  change<typeof postDeductionConfiguration, DeductionConfiguration>(postDeductionConfiguration, {
    subject: ({ tx, actor, body }) => deductionConfigurationOf(tx, actor, namedOwner(body), { lock: true }),
    target,
    snapshot,
    facts,
    intents: [
      on<typeof createDeductionConfiguration, DeductionConfiguration>(
        createDeductionConfiguration,
        saveWith(insertDeductionConfiguration),
      ),
    ],
  }),

  change<typeof putDeductionConfiguration, DeductionConfiguration>(putDeductionConfiguration, {
    subject: async ({ tx, actor, params }) => {
      const owner = await ownerOf(tx, params.id, 'deduction_configurations')
      return owner && deductionConfigurationOf(tx, actor, owner, { lock: true })
    },
    target,
    snapshot,
    facts,
    intents: [
      on<typeof changeDeductionConfiguration, DeductionConfiguration>(
        changeDeductionConfiguration,
        saveWith(updateDeductionConfiguration),
      ),
    ],
  }),
]
