import type { AnyEntity } from '#kernel/entity.ts'
import { readQuestion } from '#kernel/sentence/facts.ts'
import { factIn, type ParsedQuery, readTyped } from '#kernel/sentence/reading.ts'
import { factNamed, factNames } from '#kernel/sentence/fact-names.ts'
import { isMasked, maskedText } from '#portal/format/cell-text.ts'
import { type Connection, readRecord } from '#terminal/connection.ts'
import { today } from '#terminal/find-command.ts'
import type { Flags } from '#terminal/invocation.ts'
import { recordsNamed } from '#terminal/named.ts'
import { entities, entityByName, listOf } from '#terminal/registry.ts'
import { type Exit, Stop } from '#terminal/stop.ts'
import type { Streams } from '#terminal/streams.ts'
import { columnsOf, printTable } from '#terminal/table.ts'
import { vocabularyOn } from '#terminal/words.ts'

/** Texts that may ask for a value; for any others no list is loaded. */
const mayAsk = /(?:^|\s)(?:of|for)\s|['’]s?\s|^(?:what|which|when)\b/i

const noNames: ReadonlySet<string> = new Set()

/** A question for a value: the records and its name. */
export interface AskedQuestion {
  kind: 'question'
  query: ParsedQuery
}

/** The question for a value of a record in a text, `due date of INV-40058`; null for any other text. */
export async function questionIn(text: string): Promise<AskedQuestion | null> {
  if (!mayAsk.test(text)) return null
  const lists = await Promise.all(entities.map(listOf))
  const names = new Map(entities.map((entity, at) => [entity, new Set(lists[at]?.columns.flatMap(factNames))]))
  const vocabulary = {
    ...vocabularyOn(today()),
    facts: (entity: AnyEntity) => names.get(entity) ?? noNames,
  }
  const question = readQuestion(readTyped(text, entities, vocabulary.origin), vocabulary)
  return question?.isCertain ? { kind: 'question', query: question.query } : null
}

/** Prints the value of each record with the name. Stops if there is none. */
export async function printAnswer(
  query: ParsedQuery,
  { connection, streams, flags }: { connection: Connection; streams: Streams; flags: Flags },
): Promise<Exit> {
  const name = factIn(query) ?? ''
  const answers: object[] = []
  for (const noun of query.only ?? []) {
    const entity = entityByName(noun)
    const pane = await listOf(entity)
    const column = factNamed(pane?.columns ?? [], name)
    const named = await recordsNamed(connection, { entity: noun }, query.text)
    if (!pane || !column || !named.length) continue
    const rows = await Promise.all(named.map(({ id }) => readRecord(connection, entity, id)))
    const text = isMasked(column, connection.context.held) ? () => maskedText : column.text
    answers.push(...rows.map((row) => ({ entity: noun, id: entity.id(row), name: column.title, value: text(row) })))
    if (flags.json) continue
    const shown = columnsOf(entity, pane, 'id').concat({ ...column, text }, { id: 'title', title: 'Name', text: entity.title })
    printTable(shown, rows, streams)
  }
  if (!answers.length) throw new Stop('refused', `Nothing with a ${name} is called ${query.text}, or you have no access.`)
  if (flags.json) streams.print(JSON.stringify(answers, null, 2))
  return 'done'
}
