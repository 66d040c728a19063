import {
  changeDeductionConfiguration,
  createDeductionConfiguration,
  type DeductionConfiguration,
  type DeductionValues,
  listDeductionConfigurations,
} from '#contract/deduction-configurations.ts'
import { type ChangeOf, changing, route } from '#server/http/route.ts'
import { ownerOf } from '#server/tables/configurations.ts'
import { namedOwner, ownedBy, ownerIn, ofNamedOwners } from '#server/tables/owners.ts'
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
const configuration = {
  target: (one: DeductionConfiguration) => ({ ...ownedBy(one), version: one.version }),
  snapshot,
  answer: (one: DeductionConfiguration) => one,
}

/** Saves the submitted values over the effective ones. */
const saveWith =
  (save: typeof insertDeductionConfiguration) =>
  async ({ tx, actor, subject, body }: ChangeOf<DeductionConfiguration, DeductionValues>) => {
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const settings: DeductionSettings = { ...subject, ...sent }
    await save(tx, subject, settings)
    return { after: (await deductionConfigurationOf(tx, actor, ownerIn(subject))) as DeductionConfiguration }
  }

export const routes = [
  route(listDeductionConfigurations, async ({ tx, actor, query }) => ({
    configurations:
      query['employer-id'] === undefined && query['organization-id'] === undefined
        ? await deductionConfigurations(tx, actor)
        : await ofNamedOwners(query, (owner) => deductionConfigurationOf(tx, actor, owner)),
  })),

  changing({
    ...configuration,
    subject: ({ tx, actor, body }) => deductionConfigurationOf(tx, actor, namedOwner(body), { lock: true }),
  })(createDeductionConfiguration, saveWith(insertDeductionConfiguration)),

  changing({
    ...configuration,
    subject: async ({ tx, actor, params }) => {
      const owner = await ownerOf(tx, params.id, 'deduction_configurations')
      return owner && deductionConfigurationOf(tx, actor, owner, { lock: true })
    },
  })(changeDeductionConfiguration, saveWith(updateDeductionConfiguration)),
]
