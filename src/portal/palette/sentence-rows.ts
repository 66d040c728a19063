import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Field } from '#kernel/form.ts'
import { isListChange } from '#kernel/form-values.ts'
import { tier } from '#kernel/match.ts'
import { allArguments, type Arguments, type FindRecord, type Named } from '#kernel/sentence/arguments.ts'
import { furtherRecords, otherThan } from '#kernel/sentence/others.ts'
import { fieldsFor, mainText } from '#kernel/sentence/typed-fields.ts'
import { isPlain, type Word, wordsIn } from '#kernel/sentence/words.ts'
import type { NamedCommand } from '#kernel/sentence/names.ts'
import type { CommandContext, Selection } from '#kernel/command-context.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { dateOf } from '#portal/format/date-words.ts'
import { inWords } from '#portal/form/session/value-text.ts'
import { quoted } from '#portal/palette/filter-rows.ts'
import { commandRow, fits, targetsOf } from '#portal/palette/command-rows.ts'
import { listsIn, type ParsedQuery, type SentenceReading, sentencesIn } from '#kernel/sentence/reading.ts'
import { findNamed } from '#portal/palette/named-records.ts'
import { maxRecords } from '#portal/palette/record-rows.ts'
import type { CommandRow, Group, RecordRow } from '#portal/palette/row.ts'
import { today } from '#portal/api/session.ts'

const valueText = (field: Field, value: unknown, records: readonly Named[] = []): string => {
  const inText = (each: unknown) => records.find(({ id }) => id === each)?.title ?? inWords(field, each)
  if (!isListChange(value)) return quoted(inText(value))
  const lists = [value.add?.map(inText).join(', '), value.remove && `without ${value.remove.map(inText).join(', ')}`]
  return lists.filter(Boolean).join(', ')
}

/** The fields that a sentence fills in, with their values, `Amount: $250.00`, and the words that none takes. */
function saidOf(fields: readonly Field[], { values, left, records = {} }: Arguments): string[] {
  return [
    ...fields.flatMap((field) =>
      field.name in values ? [`${field.title}: ${valueText(field, values[field.name], records[field.name])}`] : [],
    ),
    ...(left.length ? [`not understood: ${quoted(left.join(' '))}`] : []),
  ]
}

interface Reading {
  /** The row with its parameters and their text. */
  row: CommandRow
  /** Whether the end of the sentence became a text. */
  takesText: boolean
}

/**
 * The row of a command, with the words given to the fields of its form. With words that none takes it is not preselected. A name
 * of several records is a row for each of them: the choice is the person's.
 */
function withArguments(
  row: CommandRow,
  words: readonly Word[],
  { context, commands, find }: Pick<Asking, 'context' | 'commands' | 'find'>,
  { target, on, isByName }: { target: unknown; on: AnyEntity | undefined; isByName: boolean },
): Reading[] {
  const fields = fieldsFor(row.command, context, target)
  const main = mainText(fields)
  const readDay = (text: string, past: boolean) => dateOf(text, today(), past)
  const all = allArguments(words, fields, readDay, find, on ? otherThan(on, commands, { find, isByName }) : null)
  return all.map((read) => {
    const isRead = read.left.length === 0
    const takesText = main !== undefined && main.name in read.values && words.every(isPlain)
    const parts = saidOf(fields, all.length > 1 ? withIds(read) : read)
    return {
      row: {
        ...row,
        ...{ chord: null, params: read.values, exact: isRead, spoken: { parts, count: words.length } },
        key: all.length > 1 ? `${row.key} ${JSON.stringify(read.values)}` : row.key,
        note: [...parts, row.usable ? (row.final ? 'cannot be undone' : null) : row.note].filter(Boolean).join(' · '),
        // What nobody has to say may be something else, such as a currency behind an amount.
        preselects:
          row.usable && isRead && all.length === 1 && !(takesText && main?.optional && Object.keys(read.values).length > 1),
      },
      takesText,
    }
  })
}

/** Records with their ids: several may have the same name. */
const withIds = ({ records = {}, ...read }: Arguments): Arguments => ({
  ...read,
  records: Object.fromEntries(
    Object.entries(records).map(([name, each]) => [name, each.map(({ id, title }) => ({ id, title: `${title} (${id})` }))]),
  ),
})

interface SentenceContext {
  typed: ParsedQuery
  context: CommandContext
  commands: readonly Command[]
  /** Finds the records that names in the sentence stand for. */
  find?: FindRecord | undefined
  /** Called if such a name is still being searched for. */
  searching: () => void
}

/** The same with one way to find records. */
type Asking = Omit<SentenceContext, 'find' | 'searching'> & { find: FindRecord }

/** The rows of the sentences in a text: for records that it names, for the selection, or of commands without a record. */
export function sentenceGroup(records: readonly Group[], around: SentenceContext): Group {
  const { typed, find: findRecords = findNamed, searching } = around
  const find: FindRecord = (...name) => {
    const named = findRecords(...name)
    if (!named) searching()
    return named
  }
  /** Whether only one record has the name: one of several would be a guess. */
  const isOnly = ({ targets }: CommandRow) =>
    reads.every(({ row, about }) => about !== 'name' || String(row.targets?.ids) === String(targets?.ids))
  const isAboutList = listsIn(typed).some(({ verb }) => verb)
  const found = records.flatMap(({ rows }) => rows.filter((row) => row.kind === 'record')).sort((a, b) => a.tier - b.tier)
  const reads = sentencesIn(typed).flatMap((sentence) =>
    sentence.commands.flatMap((named) =>
      readingsOf(sentence, named, found, { ...around, find }).map((each) => ({ ...each, ...sentence })),
    ),
  )
  const isOne = new Set(reads.map(({ row }) => row.command)).size === 1
  const count = wordsIn(typed.said).length
  const isNothingElse = typed.mode === 'all' && !found.length && !listsIn(typed).some(({ every }) => !every)
  const rows = reads
    .filter(({ takesText, row: { command, targets }, about, alone, words }) => {
      if (about !== 'selection' || command.on === undefined) return true
      // `new employer birch south`: nothing has that name, and a command named by several words asks for its record.
      if (!targets) return isNothingElse && alone && words.length > 0 && count - words.length > 1
      // Text behind a command may be the name of another record than the selected one.
      return !takesText || (alone && !isAboutList)
    })
    .map(({ row, takesText, about }) => ({
      ...row,
      preselects: row.preselects && isOne && (about === 'selection' ? !takesText : about === 'ids' || isOnly(row)),
    }))
  return { key: 'sentence', title: 'Commands', note: null, rows: rows.slice(0, maxRecords) }
}

/** Records that a command is done to: several by their names, or one with its row, and the words for the form. */
interface OnRecords {
  words: readonly Word[]
  one?: RecordRow
  title?: string
}

function readingsOf(
  { on, ids, words, about, alone }: SentenceReading,
  { command, by }: NamedCommand,
  found: readonly RecordRow[],
  { context, ...ways }: Asking,
): Reading[] {
  const readings = (row: CommandRow, around: CommandContext, target: unknown, given = words): Reading[] => {
    const named = { ...row, tier: tier.exactTitle, found: by === null ? null : `also called ${by}` }
    return withArguments(
      named,
      given,
      { ...ways, context: around },
      { target, on: about === 'selection' ? undefined : on, isByName: about === 'name' },
    )
  }
  if (!on) return readings(commandRow(command, context, null), context, undefined)
  if (about === 'selection') {
    const { selection } = context
    if (!alone && !fits(command, selection)) return []
    const [one = ''] = fits(command, selection) && selection.ids.length === 1 ? selection.ids : []
    const target = selection?.rows.get(one)
    return readings(commandRow(command, context, null), context, target)
  }
  /** The command on records; the title names the only one. */
  const onRecords = (ids: readonly string[], { words: given, one, title: named }: OnRecords): Reading[] => {
    const rows = new Map(one ? [[one.id, one.record]] : [])
    const how = ids.length > 1 ? 'marked' : 'active'
    const selection: Selection = { entity: on.name, ids, rows, filter: null, count: ids.length, how }
    const around = { ...context, selection }
    const row = commandRow(command, around, null)
    const key = `${row.key}:${ids.join(' ')}`
    const title = `${row.title}: ${one?.title ?? named ?? pluralize(ids.length, on)}`
    const reads = readings({ ...row, key, title, targets: targetsOf(selection), onFound: true }, around, one?.record, given)
    // Several records may have the name.
    const noted = ({ note }: CommandRow) => [note, about === 'ids' ? null : one?.note].filter(Boolean).join(' · ')
    return reads.map((read) => ({ ...read, row: { ...read.row, note: noted(read.row) } }))
  }
  if (ids.length > 1) return onRecords(ids, { words })
  const own = found.filter(
    (row) => row.entity === on && row.record !== undefined && !row.through && (about !== 'ids' || row.id === ids[0]),
  )
  const [only, ...more] = own
  const further = about === 'name' && only && !more.length ? furtherRecords(words, on, ways.find) : null
  const all = further ? [{ id: only?.id ?? '', title: only?.title ?? '' }, ...further.records] : []
  const several = [...new Map(all.map((each) => [each.id, each.title]))]
  if (further && several.length > 1)
    return onRecords(
      several.map(([id]) => id),
      { words: further.rest, title: several.map(([, title]) => title).join(', ') },
    )
  return own.flatMap((row) => onRecords([row.id], { words, one: row }))
}
