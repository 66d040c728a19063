import { noValue, required } from '#contract/fields.ts'
import {
  countIntegrations,
  createIntegration,
  deleteIntegration,
  getIntegration,
  getIntegrationMetadata,
  type Integration,
  searchIntegrations,
  setVendor,
} from '#contract/integrations.ts'
import { changedMeanwhile } from '#contract/problem.ts'
import { dataEmailLabels } from '#domain/data-email.ts'
import {
  importTypeLabels,
  importTypeTaken,
  integrationTypeLabels,
  integrationTypes,
  integrationVendors,
  importTypes,
  validateIntegration,
  productFor,
  providerProducts,
  sftpTypeLabels,
  sftpTypes,
  timekeepingUnsupported,
  vendorLabels,
} from '#domain/integration.ts'
import type { Actor } from '#server/access/actor.ts'
import { seal } from '#server/auth/sealing.ts'
import { changing, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { existing, invalid, Refused } from '#server/http-error.ts'
import { addressesOf, dataEmailList, toDataEmail } from '#server/tables/data-emails.ts'
import type { Tx } from '#server/tables/database.ts'
import { lockedOwner, ownedBy } from '#server/tables/owners.ts'
import {
  deleteIntegrationRow,
  importsOf,
  insertIntegration,
  integrationList,
  type IntegrationRow,
  integrationsWith,
  saveVendor,
  toIntegration,
} from '#server/tables/integrations.ts'
import { sftpUserList, toSftpUser } from '#server/tables/sftp-users.ts'

const open = async (tx: Tx, actor: Actor, id: number): Promise<IntegrationRow> => {
  return existing((await integrationsWith(tx, actor, [id]))[0])
}

const textOf = ({ type, import_type, sftp_type, vendor }: IntegrationRow): string =>
  [
    `${importTypeLabels[import_type]}: ${integrationTypeLabels[type]}`,
    sftp_type && sftpTypeLabels[sftp_type].toLowerCase(),
    vendor && vendorLabels[vendor],
  ]
    .filter(Boolean)
    .join(', ')

/** Integrations of one organization that are changed together. */
interface IntegrationBatch {
  rows: readonly IntegrationRow[]
}

const whole = { limit: 200, direction: 'after', 'sort-order': 'asc' } as const

/** Rows with the requested parts, as far as they are open to the person; one read per part for all rows. */
async function withIncluded(
  asking: { tx: Tx; actor: Actor },
  rows: readonly IntegrationRow[],
  include: readonly string[],
): Promise<Integration[]> {
  const of = { ...whole, 'organization-id': [...new Set(rows.map(({ organization_id }) => organization_id))] }
  const emails = include.includes('data-emails') && rows.some(({ type }) => type === 'EMAIL')
  const users = include.includes('sftp-users') && rows.some(({ sftp_type }) => sftp_type === 'INTERNAL')
  const addresses = emails ? (await dataEmailList.page(asking, { ...of, sort: 'email' }, null)).rows : []
  const known = users ? (await sftpUserList.page(asking, { ...of, sort: 'username' }, null)).rows : []
  return rows.map((row) => {
    const own = <T extends { organization_id: number }>(one: T) => one.organization_id === row.organization_id
    const isFor = (one: { employer_id: number | null }) => one.employer_id === null || one.employer_id === row.employer_id
    return {
      ...toIntegration(row),
      ...(emails && row.type === 'EMAIL'
        ? { data_emails: addresses.filter((one) => own(one) && isFor(one) && one.type === row.import_type).map(toDataEmail) }
        : {}),
      ...(users && row.sftp_type === 'INTERNAL' ? { sftp_users: known.filter(own).map(toSftpUser) } : {}),
    }
  })
}

const isVendor = (id: string): boolean => integrationVendors.some((vendor) => vendor.id === id)

export const routes = [
  route(searchIntegrations, async ({ tx, actor, query: { include, ...query }, services }) => {
    const { from, seal: sealed } = listCursor(services, 'GET /integrations/search', actor, query)
    const { rows, next } = await integrationList.page({ tx, actor }, query, from)
    return { integrations: await withIncluded({ tx, actor }, rows, include ?? []), lek: sealed(next) }
  }),

  route(countIntegrations, ({ tx, actor, query }) => integrationList.count({ tx, actor }, query)),

  route(getIntegrationMetadata, async () => ({
    types: integrationTypes.map((id) => ({ id, name: integrationTypeLabels[id] })),
    import_types: importTypes.map((id) => ({ id, name: importTypeLabels[id] })),
    sftp_types: sftpTypes.map((id) => ({ id, name: sftpTypeLabels[id] })),
    vendors: integrationVendors.map((vendor) => ({
      ...vendor,
      products: providerProducts
        .filter((product) => product.vendor === vendor.id)
        .map(({ id, name, supports_timekeeping }) => ({ id, name, supports_timekeeping })),
    })),
  })),

  route(getIntegration, async ({ tx, actor, params }) => toIntegration(await open(tx, actor, params.id))),

  changing({
    subject: ({ tx, actor, body }) => lockedOwner(tx, actor, body),
    target: (owner) => ({ ...ownedBy(owner), version: null }),
  })(createIntegration, async ({ tx, actor, auth, subject: owner, body }) => {
    const faults = validateIntegration(body, required)
    if (body.vendor && !isVendor(body.vendor)) faults.push({ path: 'vendor', message: noValue })
    if (body.product && !providerProducts.some(({ id }) => id === body.product))
      faults.push({ path: 'product', message: noValue })
    const taken = await importsOf(tx, owner)
    const wanted = [...new Set(body.import_types)]
    if (wanted.some((type) => taken.includes(type))) faults.push({ path: 'import_types', message: importTypeTaken })
    if (body.type === 'EMAIL') {
      const { organization_id } = owner
      const known = [...(await addressesOf(tx, owner)), ...(await addressesOf(tx, { organization_id, employer_id: null }))]
      for (const type of wanted)
        if (!known.some((each) => each.type === type))
          faults.push({
            path: 'import_types',
            message: `Add the ${dataEmailLabels[type].toLowerCase()} data e-mail first.`,
          })
    }
    if (faults.length > 0) throw invalid(faults)
    const external = body.type === 'SFTP' && body.sftp_type === 'EXTERNAL'
    const sealed = (secret: string | undefined) =>
      external && secret ? seal(auth.sealingKey, secret, `organization ${owner.organization_id}`) : null
    const product = body.type === 'API' ? (providerProducts.find(({ id }) => id === body.product) ?? null) : null
    const ids: number[] = []
    for (const import_type of wanted)
      ids.push(
        await insertIntegration(tx, {
          organization_id: owner.organization_id,
          employer_id: owner.employer_id,
          type: body.type,
          import_type,
          vendor: product?.vendor ?? body.vendor ?? null,
          product: product?.id ?? null,
          url: body.type === 'API' || external ? (body.url ?? null) : null,
          sftp_type: body.type === 'SFTP' ? (body.sftp_type ?? null) : null,
          username: external ? (body.username ?? null) : null,
          password_sealed: sealed(body.password),
          ssh_key_sealed: sealed(body.ssh_key),
          incremental: body.incremental,
          terminated_values: body.incremental ? [...new Set(body.terminated_values)] : [],
          created_by: actor.id,
          created_by_name: actor.name,
        }),
      )
    const rows = await integrationsWith(tx, actor, ids)
    return { after: owner, answer: { integrations: rows.map(toIntegration) }, text: rows.map(textOf).join('\n') }
  }),

  changing<IntegrationBatch>({
    subject: async ({ tx, actor, body }) => {
      const ids = body?.['integration_ids'] as number[]
      const rows = await integrationsWith(tx, actor, ids, { lock: true })
      return rows.length === new Set(ids).size ? { rows } : null
    },
    // All belong to one organization, which is checked below.
    target: ({ rows: [first] }) => ({ entity: 'organization', id: String(first?.organization_id), version: null }),
    snapshot: ({ rows }) => ({
      vendors: rows.map((row) =>
        [
          row.employer_name,
          importTypeLabels[row.import_type],
          row.vendor ? (vendorLabels[row.vendor] ?? row.vendor) : 'no vendor',
        ]
          .filter(Boolean)
          .join(' '),
      ),
    }),
  })(setVendor, async ({ tx, actor, subject, body: { vendor, expected = {} }, now }) => {
    if (!isVendor(vendor)) throw invalid([{ path: 'vendor', message: noValue }])
    const { rows } = subject
    if (new Set(rows.map(({ organization_id }) => organization_id)).size > 1)
      throw invalid([{ path: 'integration_ids', message: 'Choose integrations of one organization.' }])
    if (rows.some(({ id, version }) => expected[id] !== undefined && expected[id] !== version))
      throw new Refused(409, 'stale-version', changedMeanwhile, { facts: { integrations: rows.map(toIntegration) } })
    for (const row of rows) {
      const product = row.type === 'API' ? productFor(vendor, row.import_type) : null
      if (row.type === 'API' && !product) throw invalid([{ path: 'vendor', message: timekeepingUnsupported }])
      await saveVendor(tx, row.id, vendor, product?.id ?? null, now)
    }
    const after = await integrationsWith(
      tx,
      actor,
      rows.map(({ id }) => id),
    )
    return { after: { rows: after }, answer: { integrations: after.map(toIntegration) }, text: after.map(textOf).join('\n') }
  }),

  changing({
    subject: async ({ tx, actor, params }) => (await integrationsWith(tx, actor, [params.id], { lock: true }))[0] ?? null,
    target: (row: IntegrationRow) => ({ ...ownedBy(row), version: row.version }),
    answer: toIntegration,
  })(deleteIntegration, async ({ tx, subject }) => {
    await deleteIntegrationRow(tx, subject.id)
    return { after: subject, text: textOf(subject) }
  }),
]
