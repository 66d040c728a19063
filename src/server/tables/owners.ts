import { sql } from 'kysely'
import type { ConfigurationLevel } from '#domain/configuration.ts'
import type { Actor } from '#server/access/actor.ts'
import { type OpenDebtor, openDebtor } from '#server/access/scope.ts'
import { invalid, notFound } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'

/** The organization or the employer that a record belongs to. */
export interface Owner {
  type: ConfigurationLevel
  id: number
}

interface OwnedIds {
  employer_id?: number | null
  organization_id?: number | null
}

/** The owner in a row or a request: the employer before its organization. */
export const ownerIn = ({ employer_id, organization_id }: OwnedIds): Owner =>
  typeof employer_id === 'number'
    ? { type: 'EMPLOYER', id: employer_id }
    : { type: 'ORGANIZATION', id: organization_id as number }

/** Reads a value for each owner in the query parameters, the employer first; refused if one is not open to the person. */
export async function ofNamedOwners<T>(
  query: { 'employer-id'?: number | undefined; 'organization-id'?: number | undefined },
  read: (owner: Owner) => Promise<T | null>,
): Promise<T[]> {
  const { 'employer-id': employer, 'organization-id': organization } = query
  const owners: Owner[] = [
    ...(employer === undefined ? [] : [{ type: 'EMPLOYER' as const, id: employer }]),
    ...(organization === undefined ? [] : [{ type: 'ORGANIZATION' as const, id: organization }]),
  ]
  const found: T[] = []
  for (const owner of owners) {
    const one = await read(owner)
    if (one === null) throw notFound()
    found.push(one)
  }
  return found
}

/** The single owner named in a body. */
export function namedOwner(body: { employer_id?: unknown; organization_id?: unknown } = {}): Owner {
  const { employer_id, organization_id } = body
  if ((employer_id === undefined) === (organization_id === undefined))
    throw invalid([{ path: 'organization_id', message: 'Name an organization or an employer.' }])
  return employer_id === undefined
    ? { type: 'ORGANIZATION', id: organization_id as number }
    : { type: 'EMPLOYER', id: employer_id as number }
}

/**
 * The owner named in a body by an employer, an organization, or an employer with its organization; null counts as omitted. Throws
 * 422 if it names none, or an employer of another organization.
 */
export async function employerOrOrganization(tx: Tx, actor: Actor, body: OwnedIds = {}): Promise<Owner> {
  const { employer_id, organization_id } = body
  if (typeof employer_id !== 'number' || typeof organization_id !== 'number')
    return namedOwner({ employer_id: employer_id ?? undefined, organization_id: organization_id ?? undefined })
  const employer = await openDebtor(tx, actor, 'EMPLOYER', employer_id)
  // Nothing is revealed about an employer that the person may not see; reading it answers 404.
  if (employer && employer.organization_id !== organization_id)
    throw invalid([{ path: 'organization_id', message: 'This employer belongs to another organization.' }])
  return { type: 'EMPLOYER', id: employer_id }
}

/** The single owner named in a body, with its organization locked against additions; null if it is not open to the person. */
export async function lockedOwner(tx: Tx, actor: Actor, body: Record<string, unknown> | undefined): Promise<OpenDebtor | null> {
  const { type, id } = namedOwner(body)
  const owner = await openDebtor(tx, actor, type, id)
  if (owner) await lockOwner(tx, { type: 'ORGANIZATION', id: owner.organization_id })
  return owner
}

/** Locks an owner: nobody else changes its records before the commit. */
export async function lockOwner(tx: Tx, { type, id }: Owner): Promise<void> {
  const table = type === 'EMPLOYER' ? 'employers' : 'organizations'
  await sql`select id from ${sql.table(table)} where id = ${id} for no key update`.execute(tx)
}

/** The audit entity for a record without a history of its own: its owner, whose history has it. */
export function ownedBy(one: OwnedIds): { entity: string; id: string } {
  const { type, id } = ownerIn(one)
  return { entity: type.toLowerCase(), id: String(id) }
}
