import { capitalize } from '#domain/text.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { wordsOf } from '#kernel/findable.ts'
import { type Match as Hit, tier } from '#kernel/match.ts'
import type { AskRow, RetryRow, RecordRow } from '#portal/palette/row.ts'
import type { ParsedQuery } from '#kernel/sentence/reading.ts'
import type { SearchResults, FoundList } from '#portal/palette/ask.ts'
import { findableRecord, type Local, localOf } from '#portal/records/find-locally.ts'
import { bestFirst, foundBy, hitOf, tierOfFound, type Words } from '#portal/records/rank-found.ts'

/** Maximum number of records per noun. */
export const maxRecords = 8

/** A record as a row; `hit` is the match. */
export function recordRow(entity: AnyEntity, { id, record, title, subtitle }: Local, hit: Hit<Local> | null): RecordRow {
  const by = foundBy(id, hit)
  return {
    kind: 'record',
    key: `${entity.name}:${id}`,
    icon: entity.icon,
    title,
    // The matched text is shown in front, and not repeated.
    note: by
      ? subtitle
          .split(' · ')
          .filter((part) => part !== by)
          .join(' · ')
      : subtitle,
    found: by,
    tier: tierOfFound(entity, id, hit),
    usable: true,
    preselects: true,
    entity,
    id,
    record,
  }
}

/** Matching records of a noun, known locally or found by the API, deduplicated, best first. */
export function recordRows(
  entity: AnyEntity,
  typed: ParsedQuery,
  local: readonly Hit<Local>[],
  found: SearchResults,
  used: (key: string) => number,
): RecordRow[] {
  const { mode, text } = typed
  const { query, words } = wordsOf(text)
  const rows = new Map<string, RecordRow>()
  const put = (row: RecordRow) => {
    if (!rows.has(row.key)) rows.set(row.key, row)
  }
  const looked = found.ids[entity.name]
  if (looked?.state === 'hit') {
    const prepared = findableRecord(entity, looked.record)
    put(recordRow(entity, localOf(entity, looked.record), { item: prepared, tier: tier.exactId, by: looked.id }))
  }
  for (const hit of local) if (!isGuess(hit)) put(recordRow(entity, hit.item.of, hit))
  for (const record of found.lists[entity.name]?.rows ?? []) put(foundRow(entity, record, { query, words }))
  // The text is a number or its prefix, and matches only ids.
  const isNumber = mode === 'ids' || (typed.asked !== undefined && typed.ids.some((each) => each.entity === entity))
  const wanted = [...rows.values()].filter((row) => !isNumber || row.id.startsWith(text) || isExact(row, typed))
  return bestFirst(wanted, words, used)
}

/** A record found by the API as a row; `through` if it matched by something its line does not show. */
function foundRow(entity: AnyEntity, record: unknown, words: Words): RecordRow {
  const { hit, through } = hitOf(entity, record, words)
  return { ...recordRow(entity, localOf(entity, record), hit), through }
}

/** Whether a local record matched only with a typing error. */
const isGuess = (hit: Hit<Local>): boolean => hit.tier === tier.typingError

/**
 * Records with a similarly spelled name, as guesses: those of the API, then local ones, without those already `shown`. None is
 * preselected.
 */
export function similarRows(
  entity: AnyEntity,
  found: SearchResults,
  local: readonly Hit<Local>[],
  shown: ReadonlySet<string>,
): RecordRow[] {
  const guesses = [
    ...(found.similar?.[entity.name] ?? []).map((record) => localOf(entity, record)),
    ...local.filter(isGuess).map(({ item }) => item.of),
  ]
  const rows = new Map(guesses.map((each) => [each.id, recordRow(entity, each, null)]))
  return [...rows.values()]
    .filter(({ key }) => !shown.has(key))
    .map((row) => ({ ...row, tier: tier.typingError, preselects: false, similar: true as const }))
}

/** Whether a row is the record whose id was typed, in either notation. */
export const isExact = (row: RecordRow, { text, ids }: Pick<ParsedQuery, 'text' | 'ids'>): boolean =>
  row.tier <= tier.exactTitle && (row.id === text || ids.some(({ entity, id }) => entity === row.entity && id === row.id))

/** True for nouns with e-mail addresses: people. */
export const arePeople = (rows: readonly RecordRow[]): boolean =>
  rows.some(({ entity, record }) => record !== undefined && entity.keywords(record).some((word) => word.includes('@')))

/** 'Open employee 104234': no record has the id, or the lookup has not answered yet. */
export const askRow = (entity: AnyEntity, id: string, missed: boolean): AskRow => ({
  kind: 'ask',
  key: `ask:${entity.name}:${id}`,
  icon: entity.icon,
  title: `Open ${entity.one} ${id}`,
  note: missed ? `No such ${entity.one}, or you have no access` : 'by its id',
  found: null,
  tier: tier.substring,
  usable: true,
  preselects: true,
  entity,
  id,
})

/** A row for a failed search: of one noun, or of all. */
export const retryRow = (entity: AnyEntity | null, problem: string): RetryRow => ({
  kind: 'retry',
  key: `retry:${entity?.name ?? ''}`,
  icon: 'alert',
  title: `${entity ? capitalize(entity.many) : 'Records'} could not be searched`,
  note: `${problem} Enter tries again.`,
  found: null,
  tier: tier.typingError,
  usable: true,
  preselects: false,
})

/** `first 8` if there are more results than rows. */
export const foundNote = (list: FoundList | undefined): string | null =>
  list && (list.more || list.rows.length > maxRecords) ? `first ${Math.min(maxRecords, list.rows.length)}` : null
