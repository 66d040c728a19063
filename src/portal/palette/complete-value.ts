import { formatCents } from '#domain/money.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Field } from '#kernel/form.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { allArguments, type FindRecord } from '#kernel/sentence/arguments.ts'
import { fieldsFor, isReference } from '#kernel/sentence/typed-fields.ts'
import { wordsIn } from '#kernel/sentence/words.ts'
import { completionsOf } from '#kernel/sentence/complete.ts'
import { namedIn } from '#kernel/sentence/named.ts'
import { readSentences } from '#kernel/sentence/sentence.ts'
import { integerText, percentageText } from '#portal/format/amount-text.ts'
import { dateOf } from '#portal/format/date-words.ts'
import { findLocally, openedLately } from '#portal/records/find-locally.ts'
import { historyAtom } from '#portal/commands/history.ts'
import { commands, entities, entityByName } from '#portal/platform/registry.ts'
import { knownRecords, record } from '#portal/records/entity-store.ts'
import { store } from '#portal/platform/store.ts'
import { today } from '#portal/api/session.ts'
import type { CommandRow } from '#portal/palette/row.ts'

/** Maximum number of suggested records or recent values of a field. */
const maxSuggested = 6

/** A recent value as it is typed; null if it is not typed as one text. */
function typedAs({ kind }: Field, value: unknown): string | null {
  if (typeof value === 'number') {
    if (kind === 'money') return formatCents(value)
    return kind === 'percentage' ? `${percentageText.format(value)}%` : integerText.format(value)
  }
  return typeof value === 'string' && value !== '' && !/["\n]/.test(value) ? value : null
}

/** The values that a field had when the command last ran in this session, newest first. */
const recentOf = ({ command }: CommandRow, field: Field): string[] =>
  isReference(field) || field.options.length
    ? []
    : store
        .get(historyAtom)
        .filter((entry) => entry.command === command.id)
        .flatMap(({ params }) => typedAs(field, params[field.name]) ?? [])

function recordsLike(entity: AnyEntity, prefix: string): string[] {
  const found = prefix
    ? findLocally(entity, prefix, () => 0, maxSuggested).map(({ item }) => item.of)
    : openedLately([entity]).map(({ local }) => local)
  return found.map(({ title }) => title)
}

/** Finds records by name among the known ones: a completed name is searched for once it is in the field. */
const findKnown: FindRecord = ({ entity: name = '' }, words) => {
  const entity = entityByName(name)
  return namedIn(entity, [...knownRecords(name)], words)
}

/** The texts that complete the next value of the sentence that a row was read from. */
export function completionsFor(row: CommandRow, text: string, context: CommandContext): string[] {
  const { command, targets, spoken } = row
  const [id = ''] = targets?.ids.length === 1 ? targets.ids : []
  const target = command.on && id ? record(command.on.name, id) : undefined
  const fields = fieldsFor(command, context, target)
  const head = wordsIn(text).length - (spoken?.count ?? 0)
  const isSentence = (typed: string) =>
    readSentences(typed, commands(), entities()).some((each) => each.commands.some((named) => named.command === command))
  return completionsOf({
    text,
    fields,
    read: (typed) => {
      if (!isSentence(typed)) return null
      const readings = allArguments(wordsIn(typed).slice(head), fields, (day, past) => dateOf(day, today(), past), findKnown)
      return readings.length === 1 ? (readings[0] ?? null) : null
    },
    suggest: (field, prefix) =>
      [
        ...new Set([
          ...recentOf(row, field),
          ...(isReference(field)
            ? recordsLike(entityByName(field.entity ?? ''), prefix.replace(/^(?:to|for|of|at|with) /i, ''))
            : []),
          ...(field.kind === 'date' ? ['today', field.past ? 'yesterday' : 'tomorrow'] : []),
        ]),
      ].slice(0, maxSuggested),
  })
}
