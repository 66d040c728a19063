import { globSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import type { HistoryEvent } from '#contract/history.ts'
import { auditKindNames } from '#domain/audit.ts'
import type { Pane } from '#portal/list/pane.ts'
import { otherWords } from '#portal/nouns/audit-events/general.tsx'
import { eventsAt } from '#server/tables/audit.ts'
import type { Database } from '#server/tables/database.ts'

const panes: Pane[] = await Promise.all(
  globSync('src/portal/nouns/*/list.tsx').map(
    async (path) => (await import(new URL(`../../${path}`, import.meta.url).href)).default as Pane,
  ),
)
const wordsOf = new Map(panes.map(({ entity, words }) => [entity.name, words]))

/** Fields whose value is free text or a name from an employer. */
const typed = /(^|_)(codes?|names?|reason|details|notes|country|folder|username|columns|statuses)$/

/** Why a value is unreadable in the history; null if it is readable. */
function faultOf(entity: string, field: string, value: unknown): string | null {
  const words = wordsOf.get(entity) ?? otherWords
  const [title, text] = [words.field(field), words.value(field, value)]
  const says = `${entity}: ${title}: ${text}`
  if (/_|\b(ach|ee|ewa|kyc|lms|ems|url|tk)\b|\b(Ach|Ee|Ewa|Kyc|Lms|Ems|Url|Tk)\b|\d{3}/.test(title)) return says
  if (/\[object|[{}[\]]|undefined|\bnull\b/.test(text)) return says
  if (typed.test(field)) return null
  // Codes and dates as stored in the database.
  return text.split(', ').some((item) => /^([A-Z]{4,}|[A-Z]+(_[A-Z]+)+|.*\b\d{4}-\d{2}-\d{2}\b.*)$/.test(item)) ? says : null
}

/** The changes of events that the history would show as codes, brackets or field names. */
export const unreadable = (events: readonly (Pick<HistoryEvent, 'changes'> & { entity: string })[]): string[] => [
  ...new Set(
    events.flatMap(({ entity, changes }) =>
      changes.flatMap(({ field, before, after }) => [before, after].flatMap((value) => faultOf(entity, field, value) ?? [])),
    ),
  ),
]

/** Maximum number of checked events per intent. */
const perIntent = 20

/** The same for the events that a test recorded in a database. */
export const unreadableIn = (db: Kysely<Database>): Promise<string[]> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; entity: string }>`select id, entity
      from (select id, entity, row_number() over (partition by intent) as nth from audit_events
        where entity = any(${auditKindNames}::text[])) event
      where nth <= ${perIntent}`.execute(tx)
    if (rows.length === 0) return []
    const always = ['-infinity', 'infinity'].map((at) => ({ id: 0, at }))
    const events = await eventsAt(tx, [...always, ...rows.map(({ id }) => ({ id, at: '-infinity' }))])
    const entities = new Map(rows.map(({ id, entity }) => [id, entity]))
    return unreadable(events.map((event) => ({ ...event, entity: entities.get(event.id) as string })))
  })
