import type { AnyEntity } from '#kernel/entity.ts'
import { type Findable, findable, wordsOf } from '#kernel/findable.ts'
import { fold } from '#kernel/fold.ts'
import { type Match as Hit, match, tier } from '#kernel/match.ts'
import type { AskRow, RetryRow, RecordRow } from '#portal/palette/row.ts'
import type { ParsedQuery } from '#portal/palette/parsed-query.ts'
import type { SearchResults, FoundList } from '#portal/palette/ask.ts'
import { findableRecord, type Local, localOf } from '#portal/palette/found-locally.ts'

/** Maximum number of records per noun. */
export const maxRecords = 8

/** A record as a row; `hit` is the match. */
export function recordRow(entity: AnyEntity, { id, record, title, subtitle }: Local, hit: Hit<Local> | null): RecordRow {
  const by = hit?.by && hit.by !== id ? hit.by : null
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
    // A match on a text that the row does not show ranks lower.
    tier: Math.max(
      (hit?.tier ?? tier.substring) + (by ? 0.5 : 0),
      entity.tells && hit?.tier !== tier.exactId ? tier.substring : 0,
    ),
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
function foundRow(entity: AnyEntity, record: unknown, { query, words }: ReturnType<typeof wordsOf>): RecordRow {
  const prepared = findableRecord(entity, record)
  const hit = match(prepared, query, words)
  return { ...recordRow(entity, prepared.of, hit ?? match(asShown(prepared), query, words)), through: hit === null }
}

const bestFirst = (rows: readonly RecordRow[], words: readonly string[], used: (key: string) => number): RecordRow[] =>
  rows
    .map((row, index) => ({ row, index, score: used(row.key), whole: wholeIn(row.title, words) }))
    .sort((a, b) => a.row.tier - b.row.tier || b.whole - a.whole || b.score - a.score || a.index - b.index)
    .map(({ row }) => row)

/** Records found by the API in the order of the palette: best name matches first. */
export function inPaletteOrder(entity: AnyEntity, records: readonly unknown[], text: string): readonly unknown[] {
  const typed = wordsOf(text)
  if (typed.words.length === 0) return records
  const rows = records.map((record) => foundRow(entity, record, typed))
  return bestFirst(rows, typed.words, () => 0).map(({ record }) => record)
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

/** Number of words that are whole words of the title: Chen comes before Cheng. */
const wholeIn = (title: string, words: readonly string[]): number =>
  words.length > 1 ? words.filter((word) => ` ${fold(title)} `.includes(` ${word} `)).length : 0

/** A record with the texts of its line as keywords: the API also finds people by the name of their employer. */
const asShown = ({ key, title, of }: Findable<Local>): Findable<Local> => findable(key, title, of, [], of.subtitle.split(' · '))

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
  title: `${entity ? capital(entity.many) : 'Records'} could not be searched`,
  note: `${problem} Enter tries again.`,
  found: null,
  tier: tier.typingError,
  usable: true,
  preselects: false,
})

/** `found 2 in 4 ms`, with measured values. */
export const foundNote = (list: FoundList | undefined): string | null =>
  !list?.rows.length || list.took === null
    ? null
    : `${list.more || list.rows.length > maxRecords ? `first ${Math.min(maxRecords, list.rows.length)}` : `found ${list.rows.length}`} in ${Math.max(1, Math.round(list.took))} ms`

/** Capitalizes the first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
