import {
  changeConfiguration,
  type Configuration,
  type ConfigurationValues,
  createConfiguration,
  getEmployerConfiguration,
  listConfigurations,
  postConfiguration,
  putConfiguration,
} from '#contract/configurations.ts'
import { required } from '#contract/fields.ts'
import { judgeWithdrawLimit } from '#domain/configuration.ts'
import { all } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import { requirePermission } from '#server/http/judge.ts'
import { change, on, route } from '#server/http/route.ts'
import { invalid, notFound } from '#server/refused.ts'
import {
  accountsOf,
  configurationOf,
  insertConfiguration,
  ownedBy,
  type Owner,
  ownerIn,
  ownerOf,
  type Settings,
  updateConfiguration,
} from '#server/tables/configurations.ts'
import type { Tx } from '#server/tables/database.ts'

/** What is filed in the audit: what a person set, and whose it was. */
const snapshot = ({ id: _, version, organization_id, organization_name, employer_id, ...values }: Configuration) => values

const target = (one: Configuration) => ({ ...ownedBy(one), version: one.version })

/** What is to hold: what was sent, and for the rest what holds now. What was cleared is 0 (rules 17). */
function settingsFrom(now: Configuration, body: ConfigurationValues): Settings {
  const sent = Object.entries(body).filter(([, value]) => value !== undefined)
  const settings: Settings = { ...now, ...Object.fromEntries(sent.map(([name, value]) => [name, value ?? 0])) }
  const { withdraw_limit_type: type, withdraw_limit_amount: amount } = settings
  // An amount of the other type means something else.
  const wrong =
    type !== now.withdraw_limit_type && body.withdraw_limit_amount === undefined ? required : judgeWithdrawLimit(type, amount)
  if (wrong) throw invalid([{ path: 'withdraw_limit_amount', message: wrong }])
  return settings
}

interface Saving {
  tx: Tx
  actor: Actor
  subject: Configuration
  body: ConfigurationValues
}

/** Saves what is to hold, and answers the configuration as it stands afterwards. */
const saving =
  (save: typeof insertConfiguration) =>
  async ({ tx, actor, subject, body }: Saving) => {
    await save(tx, subject, settingsFrom(subject, body))
    const after = (await configurationOf(tx, actor, ownerIn(subject))) as Configuration
    return { after, answer: after }
  }

const facts = async ({ subject }: { subject: Configuration }) => subject

export const routes = [
  route(listConfigurations, async ({ tx, actor, query }) => {
    if (query.include) requirePermission(actor, all('read:billing'))
    const { 'employer-id': employer, 'organization-id': organization } = query
    const owners: Owner[] = [
      ...(employer === undefined ? [] : [{ type: 'EMPLOYER' as const, id: employer }]),
      ...(organization === undefined ? [] : [{ type: 'ORGANIZATION' as const, id: organization }]),
    ]
    const configurations: Configuration[] = []
    for (const owner of owners) {
      const one = await configurationOf(tx, actor, owner)
      if (!one) throw notFound()
      configurations.push(query.include ? { ...one, accounts: await accountsOf(tx, one) } : one)
    }
    return { configurations }
  }),

  route(getEmployerConfiguration, async ({ tx, actor, params }) => {
    const one = await configurationOf(tx, actor, { type: 'EMPLOYER', id: params.employerId })
    if (!one) throw notFound()
    return one
  }),

  change<typeof postConfiguration, Configuration>(postConfiguration, {
    subject: async ({ tx, actor, body = {} }) => {
      const { employer_id: employer, organization_id: organization } = body as { employer_id?: number; organization_id?: number }
      if ((employer === undefined) === (organization === undefined))
        throw invalid([{ path: 'employer_id', message: 'Name an employer or an organization.' }])
      return configurationOf(tx, actor, ownerIn({ employer_id: employer, organization_id: organization }), { lock: true })
    },
    target,
    snapshot,
    facts,
    intents: [on<typeof createConfiguration, Configuration>(createConfiguration, saving(insertConfiguration))],
  }),

  change<typeof putConfiguration, Configuration>(putConfiguration, {
    subject: async ({ tx, actor, params }) => {
      const owner = await ownerOf(tx, params.id)
      return owner && configurationOf(tx, actor, owner, { lock: true })
    },
    target,
    snapshot,
    facts,
    intents: [on<typeof changeConfiguration, Configuration>(changeConfiguration, saving(updateConfiguration))],
  }),
]
