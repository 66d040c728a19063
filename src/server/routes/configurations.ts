import {
  changeConfiguration,
  type Configuration,
  configurationNames,
  type ConfigurationValues,
  createConfiguration,
  getConfigurationExample,
  getEmployerConfiguration,
  listConfigurations,
} from '#contract/configurations.ts'
import { required } from '#contract/fields.ts'
import { validateWithdrawLimit } from '#domain/configuration.ts'
import { all } from '#domain/permissions.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import { type ChangeOf, changing, route } from '#server/http/route.ts'
import { existing, invalid } from '#server/http-error.ts'
import {
  accountsOf,
  configurationOf,
  exampleOf,
  insertConfiguration,
  isFolderTaken,
  isFolderUsed,
  saveTerms,
  ownerOf,
  type Settings,
  updateConfiguration,
} from '#server/tables/configurations.ts'
import { namedOwner, ownedBy, ownerIn, ofNamedOwners } from '#server/tables/owners.ts'
import type { Tx } from '#server/tables/database.ts'

/** The audit snapshot: the settings without their owner. */
const snapshot = ({ id: _, version, organization_id, organization_name, employer_id, ...values }: Configuration) => values

const configuration = {
  target: (one: Configuration) => ({ ...ownedBy(one), version: one.version }),
  snapshot,
  answer: (one: Configuration) => one,
}

/** A cleared number becomes 0 (docs/rules/companies.md), any other setting null. */
const clearedTo = (name: string): 0 | null => (name === 'pay_codes' || name === 'integrations_folder' ? null : 0)

/** The new settings: the submitted values over the effective ones. */
function settingsFrom(now: Configuration, body: ConfigurationValues): Settings {
  const sent = Object.entries(body).filter(([, value]) => value !== undefined)
  const settings: Settings = {
    ...now,
    payment_method: now.auto_ach ? 'AUTO_ACH' : 'SELF_PAY',
    ...Object.fromEntries(sent.map(([name, value]) => [name, value ?? clearedTo(name)])),
  }
  const { withdraw_limit_type: type, withdraw_limit_amount: amount } = settings
  const given = body.withdraw_limit_amount
  // An amount of the other type has another meaning; a cleared one, now or before, is 0.
  const missing = type !== now.withdraw_limit_type && given === undefined
  const cleared = amount === 0 && given !== 0
  const wrong = missing ? required : cleared ? null : validateWithdrawLimit(type, amount)
  if (wrong) throw invalid([{ path: 'withdraw_limit_amount', message: wrong }])
  return settings
}

/** The folder belongs to exactly one organization: it identifies the owner of the files in it. */
async function validateFolder(tx: Tx, now: Configuration, folder: string | null | undefined): Promise<void> {
  if (folder === undefined || folder === now.integrations_folder) return
  const path = 'integrations_folder'
  if (now.employer_id !== null) throw invalid([{ path, message: 'The integrations folder belongs to the organization.' }])
  if (now.integrations_folder !== null && (await isFolderUsed(tx, now.organization_id)))
    throw invalid([{ path, message: 'Files arrive in this folder already, so it stays.' }])
  if (folder !== null && (await isFolderTaken(tx, folder, now.organization_id)))
    throw invalid([{ path, message: 'Another organization has this folder.' }])
}

/** Saves the new settings and returns the configuration afterwards. */
const saveWith =
  (save: typeof insertConfiguration) =>
  async ({ tx, actor, subject, body }: ChangeOf<Configuration, ConfigurationValues>) => {
    const settings = settingsFrom(subject, body)
    await validateFolder(tx, subject, body.integrations_folder)
    // A folder alone is not a configuration: saving invoice terms with it would allow activating the employer.
    const more = configurationNames.some((name) => name !== 'integrations_folder' && body[name] !== undefined)
    await save(tx, subject, settings)
    if (more) await saveTerms(tx, subject, settings)
    return { after: (await configurationOf(tx, actor, ownerIn(subject))) as Configuration }
  }

export const routes = [
  route(listConfigurations, async ({ tx, actor, query }) => {
    if (query.include) requirePermission(actor, all('read:billing'))
    const configurations = await ofNamedOwners(query, async (owner) => {
      const one = await configurationOf(tx, actor, owner)
      return one && query.include ? { ...one, accounts: await accountsOf(tx, one) } : one
    })
    return { configurations }
  }),

  route(getConfigurationExample, async ({ tx, actor, query }) => {
    const { 'employer-id': employer_id, 'organization-id': organization_id } = query
    if (employer_id === undefined && organization_id === undefined) return { example: null }
    return { example: await exampleOf(tx, actor, ownerIn({ employer_id, organization_id })) }
  }),

  route(getEmployerConfiguration, async ({ tx, actor, params }) => {
    return existing(await configurationOf(tx, actor, { type: 'EMPLOYER', id: params.employerId }))
  }),

  changing({
    ...configuration,
    subject: ({ tx, actor, body }) => configurationOf(tx, actor, namedOwner(body), { lock: true }),
  })(createConfiguration, saveWith(insertConfiguration)),

  changing({
    ...configuration,
    subject: async ({ tx, actor, params }) => {
      const owner = await ownerOf(tx, params.id)
      return owner && configurationOf(tx, actor, owner, { lock: true })
    },
  })(changeConfiguration, saveWith(updateConfiguration)),
]
