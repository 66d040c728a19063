import { type RawBuilder, sql } from 'kysely'
import { type AuditKindName, auditKindsFor } from '#domain/audit.ts'
import type { Actor } from '#server/access/actor.ts'
import { openTo, organizationOpenTo } from '#server/access/scope.ts'
import type { Asking } from '#server/paging/define-list.ts'
import type { Tx } from '#server/tables/database.ts'
import { hidesMaskedStatus } from '#server/tables/employee-events.ts'
import { fold, patternOf, searchWords } from '#server/tables/employee-search.ts'
import { seesRestricted } from '#server/tables/employees.ts'

type Sql = RawBuilder<unknown>

/** Distinct values of the leading column of an index, found by a loose index scan. */
async function valuesOf(tx: Tx, column: 'intent' | 'command' | 'actor_id'): Promise<string[]> {
  const name = sql.ref(column)
  const { rows } = await sql<{ value: string }>`
    with recursive leap(value) as (
      (select ${name} from audit_events where ${name} is not null order by ${name} limit 1)
      union all
      select (select ${name} from audit_events where ${name} > value order by ${name} limit 1) from leap where value is not null
    ) select value from leap where value is not null`.execute(tx)
  return rows.map(({ value }) => value)
}

const wordsIn = (text: string): string[] =>
  fold(text)
    .split(/[\s.-]+/)
    .filter(Boolean)
const hasAll = (words: readonly string[], text: string): boolean => words.every((word) => text.includes(word))

/** Events whose command or intent has all these words in its id: 'pause employee' matches `employee.pause`. */
export async function byCommand(text: string, { tx, actor }: Asking): Promise<Sql> {
  const words = wordsIn(text)
  const [commands, intents] = await Promise.all(
    (['command', 'intent'] as const).map(async (column) =>
      (await valuesOf(tx, column)).filter((id) => hasAll(words, wordsIn(id).join(' '))),
    ),
  )
  const found = sql`(e.command = any(${commands}::text[]) or e.intent = any(${intents}::text[]))`
  // A masked event must not be found by what the mask hides.
  return seesRestricted(actor) ? found : sql`(${found} and ${hidesMaskedStatus})`
}

/**
 * Events by people whose names have all these words, events about a record with such a name, and events of the record with this
 * id.
 */
export async function byWords(text: string, { tx, actor }: Asking): Promise<Sql> {
  const words = searchWords(text)
  const { rows } = await sql<{ id: string; name: string }>`
    select actor.id, last.actor_name as name from unnest(${await valuesOf(tx, 'actor_id')}::text[]) as actor(id)
    cross join lateral (select actor_name from audit_events where actor_id = actor.id order by at desc, id desc limit 1) last`.execute(
    tx,
  )
  const people = rows.filter(({ name }) => hasAll(words, fold(name))).map(({ id }) => id)
  const named = await recordsNamed(tx, actor, words)
  // Each condition has an index of its own.
  const any = [
    sql`e.actor_id = any(${people}::text[])`,
    sql`(e.entity = any(${auditKindsFor(actor.held)}::text[]) and e.entity_id = ${bareId(text)})`,
    ...named.map(({ kinds, ids }) => sql`(e.entity = any(${[...kinds]}::text[]) and e.entity_id = any(${ids}::text[]))`),
  ]
  return sql`(${sql.join(any, sql` or `)})`
}

/** Records with a name in the audit (`rowsAt`) whose name contains all these words, as far as the person may see them. */
async function recordsNamed(tx: Tx, actor: Actor, words: readonly string[]) {
  if (words.length === 0) return []
  const has = (name: Sql) => sql`(' ' || ${name}) like all(${words.map(patternOf)}::text[])`
  const { rows } = await sql<{ noun: keyof typeof calledByName; ids: string[] }>`
    select noun, array_agg(id) as ids from (
      select 'people' as noun, id::text as id from people where ${has(sql`fold(name)`)}
      union all
      select 'employers', id::text from employers where ${has(sql`name_key`)} and ${openTo(actor, sql.ref('employers.id'))}
      union all
      select 'organizations', id::text from organizations
        where ${has(sql`name_key`)} and ${organizationOpenTo(actor, sql.ref('organizations.id'))}
    ) named group by noun`.execute(tx)
  return rows.map(({ noun, ids }) => ({ kinds: calledByName[noun], ids }))
}

/** The kinds of events about named records, by the table that has the name. */
export const calledByName = {
  people: ['admin', 'account-manager', 'person', 'views'],
  employers: ['employer'],
  organizations: ['organization'],
} as const satisfies Record<string, readonly AuditKindName[]>

/** `INV-40001` becomes `40001`. */
export const bareId = (text: string): string => text.trim().replace(/^[a-z]+-(?=\d+$)/i, '')
