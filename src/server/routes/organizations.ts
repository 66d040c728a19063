import { sql } from 'kysely'
import { createOrganization, editOrganization } from '#contract/organization-changes.ts'
import {
  countOrganizations,
  getCustomerSuccessManager,
  getOrganization,
  listCustomerSuccessManagers,
  listOrganizationEvents,
  listOrganizations,
} from '#contract/organizations.ts'
import { isOpenDebtor } from '#server/access/scope.ts'
import { all, may } from '#domain/permissions.ts'
import { fingerprintText } from '#domain/public-key.ts'
import { readEncryptionKey } from '#server/documents/encryption.ts'
import { historyOf } from '#server/http/history.ts'
import { reads } from '#server/http/reads.ts'
import { changing, creating, route } from '#server/http/route.ts'
import { existing, invalid, notFound, orNotFound } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { deleteEncryptionKey, saveEncryptionKey } from '#server/tables/encryption-keys.ts'
import { organizationList } from '#server/tables/organization-list.ts'
import {
  customerSuccessManagers,
  employersOf,
  insertOrganization,
  lockOrganization,
  oneOrganization,
  type OrganizationRow,
  saveOrganization,
  takenNames,
  toOrganization,
} from '#server/tables/organizations.ts'

const open = orNotFound(oneOrganization)

const organization = {
  entity: 'organization',
  snapshot: ({ name, lookup_name, brand, source_code, status, csm, notes, encryption }: OrganizationRow) => ({
    name,
    lookup_name,
    brand,
    source_code,
    status,
    csm: csm?.name ?? null,
    notes,
    encryption_key_fingerprint: encryption && fingerprintText(encryption.fingerprint),
  }),
  answer: toOrganization,
}

interface Names {
  lookup_name: string
  source_code: string
  csm_id?: number | null | undefined
}

const takenWords = {
  lookup_name: 'Another organization has this lookup name.',
  source_code: 'Another organization has this source code.',
}

/** Validates the names of an organization, and its manager. */
async function faultsIn(tx: Tx, { csm_id, ...names }: Names, but: number | null) {
  const faults = (await takenNames(tx, names, but)).map((path) => ({ path: path as string, message: takenWords[path] }))
  if (csm_id && (await customerSuccessManagers(tx, { ids: [csm_id], limit: 1 })).length === 0)
    faults.push({ path: 'csm_id', message: 'There is no such customer success manager.' })
  return faults
}

export const routes = [
  ...reads(
    { list: listOrganizations, count: countOrganizations, get: getOrganization },
    { list: organizationList, open, answer: toOrganization },
  ),

  route(listOrganizationEvents, async (context) => {
    const { id } = await open(context.tx, context.actor, context.params.id)
    // People who were granted only some of its employers see its name alone.
    if (!(await isOpenDebtor(context.tx, context.actor, 'ORGANIZATION', id))) throw notFound()
    // Billing accounts require read:billing, and so does their history.
    const billing = may(context.actor.held, all('read:billing')) === 'yes'
    const asking = { ...context, ...(billing ? {} : { where: sql<boolean>`e.intent not like 'billing-account.%'` }) }
    return historyOf(asking, 'GET /organizations/{id}/history', { entity: 'organization', id: String(id) })
  }),

  route(listCustomerSuccessManagers, async ({ tx, query: { q, id: ids, limit } }) => ({
    customer_success_managers: await customerSuccessManagers(tx, { q, ids, limit }),
  })),

  route(getCustomerSuccessManager, async ({ tx, params }) => {
    return existing((await customerSuccessManagers(tx, { ids: [params.id], limit: 1 }))[0])
  }),

  creating(async () => ({}), organization)(createOrganization, async ({ tx, actor, body }) => {
    const faults = await faultsIn(tx, body, null)
    if (faults.length > 0) throw invalid(faults)
    const { csm_id = null, notes = null, ...values } = body
    return { after: await open(tx, actor, await insertOrganization(tx, actor, { ...values, csm_id, notes, status: 'ACTIVE' })) }
  }),

  changing({ ...organization, subject: ({ tx, actor, params }) => lockOrganization(tx, actor, params.id) })(
    editOrganization,
    async ({ tx, actor, subject, body, now }) => {
      const { version: _, csm_id = null, notes = null, encryption_key, ...values } = body
      const key = encryption_key ? await readEncryptionKey(encryption_key, now) : null
      const faults = await faultsIn(tx, body, subject.id)
      if (typeof key === 'string') faults.push({ path: 'encryption_key', message: key })
      const employers = await employersOf(tx, subject.id)
      if (values.brand !== subject.brand && employers.some)
        faults.push({ path: 'brand', message: 'The brand stays: this organization has employers.' })
      if (values.status === 'INACTIVE' && employers.active)
        faults.push({ path: 'status', message: 'An employer of it is active. De-activate its employers first.' })
      if (faults.length > 0) throw invalid(faults)
      await saveOrganization(tx, subject.id, { ...values, csm_id, notes }, now)
      if (encryption_key === null) await deleteEncryptionKey(tx, subject.id)
      else if (key !== null && typeof key !== 'string') await saveEncryptionKey(tx, subject.id, key, now)
      return { after: await open(tx, actor, subject.id) }
    },
  ),
]
