import { brands } from '#domain/brand.ts'
import { places, trades } from '#server/seed/names.ts'
import type { Tx } from '#server/tables/database.ts'

/** The first id of the demo (docs/rules/operation.md). */
export const firstId = 100_001

export interface SeededEmployer {
  id: number
  organizationId: number
  brand: string
  /** Two letters that start its employees' codes. */
  letters: string
  active: boolean
  employees: number
}

/** A seeded random generator: the same numbers from 0 to 1 in every run. */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A number around `median` with a long tail. */
const around = (next: () => number, median: number, spread: number, min: number, max: number): number => {
  const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return Math.min(max, Math.max(min, Math.round(median * Math.exp(spread * normal))))
}

const pick = <T>(next: () => number, from: readonly T[]): T => from[Math.floor(next() * from.length)] as T

/** Creates organizations and employers for this number of employees; sizes follow docs/rules/operation.md. */
export async function seedCompanies(
  tx: Tx,
  employees: number,
  today: string,
): Promise<{ employers: SeededEmployer[]; nextId: number }> {
  const next = chance(20_250_101)
  const organizations: {
    name: string
    lookup_name: string
    brand: string
    source_code: string
    status: 'ACTIVE' | 'INACTIVE'
    units: readonly string[]
  }[] = []
  const sizes: number[][] = []
  for (let remaining = employees; remaining > 0; ) {
    const trade = pick(next, trades)
    const brand = pick(next, brands).id
    const name = `${pick(next, places)} ${pick(next, places)} ${trade.group}`
    const number = organizations.length + 1
    organizations.push({
      name: organizations.some((other) => other.name === name) ? `${name} ${number}` : name,
      lookup_name: `${name.toLowerCase().replaceAll(' ', '-')}-${number}`,
      brand,
      source_code: `SRC-${String(number).padStart(4, '0')}`,
      status: next() < 0.96 ? 'ACTIVE' : 'INACTIVE',
      units: trade.units,
    })
    // The first organization belongs to the demo's account manager, so it has several employers in a demo of any size.
    const count = number === 1 ? 6 : around(next, 3, 1, 1, 60)
    const employerSizes: number[] = []
    for (let each = 0; each < count && remaining > 0; each++) {
      const size = Math.min(remaining, around(next, 150, 1, 20, 5_000))
      employerSizes.push(size)
      remaining -= size
    }
    sizes.push(employerSizes)
  }
  const managers = await tx
    .insertInto('customer_success_managers')
    .values([{ name: 'Ana Ruiz' }, { name: 'Piet Vos' }, { name: 'Lena Falk' }])
    .returning('id')
    .execute()
  let id = firstId
  const organizationRows = organizations.map(({ units: _, ...row }) => ({
    id: id++,
    ...row,
    csm_id: pick(next, [...managers.map((row) => row.id), null]),
  }))
  const employers: SeededEmployer[] = []
  const employerRows = organizations.flatMap((organization, at) =>
    (sizes[at] as number[]).map((size, each) => {
      const place = pick(next, places)
      const name = `${place} ${pick(next, organization.units)}`
      const letters = `${place[0]}${organization.name[0]}`.toUpperCase()
      const active = organization.status === 'ACTIVE' && next() < 0.94
      const row = {
        id: id++,
        organization_id: (organizationRows[at] as { id: number }).id,
        internal_name: `${name} ${each + 1}`,
        external_name: name,
        external_code: `${letters}-${String(id % 10_000).padStart(4, '0')}`,
        lookup_name: `${name} ${each + 1}`.toLowerCase().replaceAll(' ', '-'),
        brand: organization.brand,
        status: active ? ('ACTIVE' as const) : ('INACTIVE' as const),
        direct_customer: next() < 0.3,
        go_live_date: daysBefore(today, 60 + Math.floor(next() * 1_400)),
        cancellation_date: active ? null : daysBefore(today, 1 + Math.floor(next() * 59)),
        pilot_ee_count: next() < 0.2 ? 10 + Math.floor(next() * 40) : null,
        onboarded: active,
      }
      employers.push({ id: row.id, organizationId: row.organization_id, brand: row.brand, letters, active, employees: size })
      return row
    }),
  )
  for (const part of chunks(organizationRows)) await tx.insertInto('organizations').values(part).execute()
  for (const part of chunks(employerRows)) await tx.insertInto('employers').values(part).execute()
  return { employers, nextId: id }
}

/** A statement can have at most 65,535 parameters. */
const chunks = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / 1_000) }, (_, at) => rows.slice(at * 1_000, (at + 1) * 1_000))

const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
