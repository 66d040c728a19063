import { changes, type Command, leadsToChange } from '#kernel/command.ts'
import { fold } from '#kernel/fold.ts'
import { asksFor } from '#kernel/form.ts'
import { type Match as Hit, tier } from '#kernel/match.ts'
import type { Selection, CommandContext } from '#kernel/command-context.ts'
import { commandFinder, commandRow, isFinal } from '#portal/palette/command-rows.ts'
import type { CommandRow, Group, RecordRow } from '#portal/palette/row.ts'
import { arePeople, isExact, maxRecords } from '#portal/palette/record-rows.ts'
import { hasWords } from '#kernel/sentence/named.ts'
import { type ActionReading, actionsIn, isOnRecord, type NamedBy, type ParsedQuery } from '#kernel/sentence/reading.ts'
import { quoted, saidOf } from '#portal/palette/filter-rows.ts'

interface ResultContext {
  typed: ParsedQuery
  context: CommandContext
  commands: readonly Command[]
}

/** A command on a record that was found; null if the record is not loaded. */
function onRecord(command: Command, { entity, id, record, title }: RecordRow, context: CommandContext): CommandRow | null {
  if (record === undefined) return null
  const selection: Selection = {
    entity: entity.name,
    ids: [id],
    rows: new Map([[id, record]]),
    filter: null,
    count: 1,
    how: 'active',
  }
  const row = commandRow(command, { ...context, selection }, null)
  const people = command.id === `${entity.name}.employees`
  return { ...row, key: `${row.key}:${id}`, title: people ? `Show employees of ${title}` : `${row.title}: ${title}`, chord: null }
}

/**
 * A command matched by an alias says so, and is not preselected if it changes something. Matched by its title, Enter may open its
 * form or page, also if the change cannot be undone.
 */
function asTyped(row: CommandRow | null, by: string | null, context: CommandContext): CommandRow | null {
  if (row && by !== null) return { ...row, found: `also called ${by}`, preselects: row.preselects && !changes(row.command) }
  return row && { ...row, preselects: row.preselects || (row.usable && (asksFor(row.command, context) || !changes(row.command))) }
}

/** How well a record matches compared to others: records found through their parent rank equally. */
const near = ({ tier: of, found, through }: RecordRow): number =>
  (found !== null || through) && of >= tier.prefix ? tier.wordStart + 0.5 : of

/**
 * Whether the typed text starts words of a record's own name or numbers; a match inside a word or on its company is not specific.
 */
const isNamed = ({ tier: of, through }: RecordRow): boolean => !through && of < tier.substring

/** Number of letters by which the verb of a title counts as typed. */
const minLetters = 3

/** Order of commands by how they were named. */
const places: Readonly<Record<NamedBy, number>> = { whole: -1, first: 0, start: 0, alias: 0.5, inside: 1 }

/** The title and the parameters of a command that shows a list in a period. */
const inTime = ({ title }: CommandRow, { set, filters }: NonNullable<ActionReading['during']>) => ({
  title: [title, ...saidOf({ set, q: '' }, filters)].join(' · '),
  params: { set },
})

/** A command with the words behind its record: another command, if it takes one, or not understood. */
function withLeft(
  row: CommandRow,
  left: string,
  commands: readonly Command[],
): { note?: string; title?: string; params?: Record<string, unknown> } {
  const { sentence, on: noun } = row.command
  const takes = sentence?.takes
  const isTaken = ({ item: { of }, by }: Hit<Command>) =>
    takes === 'command' || (of.on === noun && by === null && leadsToChange(of))
  const action = takes && commandFinder(commands)(left, () => 0).find(isTaken)
  if (!action || action.tier > tier.wordStart) return { note: `not understood: ${quoted(left)}` }
  const { id, on, title } = action.item.of
  return { title: `${row.title} · ${title}`, params: { action: id, ...(on ? { noun: on.name } : {}) } }
}

/** The typed command for each record that was found: best match first, and among equals those for which it is available. */
export function doneTo(records: readonly Group[], { typed, context, commands }: ResultContext): Group {
  const actions = actionsIn(typed)
  const all = records.flatMap(({ rows }) => rows.filter((row) => row.kind === 'record'))
  // In the context of a company, commands on its child records are excluded,
  const isDirect = all.some(({ through }) => !through)
  const titles = new Set(all.map(({ title }) => title))
  const belongs = ({ through, found }: RecordRow) => (isDirect && through) || (found !== null && titles.has(found))
  // except those on its invoices, which users refer to by company.
  const isMatch = (row: RecordRow) =>
    actions.filter(
      ({ command, named }) =>
        command.on?.name === row.entity.name && (!belongs(row) || ((changes(command) || named === 'whole') && !arePeople([row]))),
    )
  // `reset maria` may be the password or the authenticator, and neither reset is undone.
  const isOneOfSeveral = (row: RecordRow, command: Command) =>
    isFinal(command, row.record) &&
    isMatch(row).filter((each) => places[each.named] === places.start && isFinal(each.command, row.record)).length > 1
  // `invoice of birch` is no order to reopen one.
  const isSaid = ({ title }: Command) => ` ${fold(typed.said)}`.includes(` ${fold(title).slice(0, minLetters)}`)
  const found = all.filter((row) => isMatch(row).length > 0).sort((a, b) => a.tier - b.tier)
  const rows = found.flatMap((row) =>
    isMatch(row).flatMap(({ command, by, named, during, left }) => {
      const each = asTyped(onRecord(command, row, context), by, context)
      const timed = during && each ? inTime(each, during) : {}
      const taken = left && each ? withLeft(each, left, commands) : {}
      const note = [row.note, each?.note, taken.note].filter(Boolean).join(' · ')
      return each
        ? [
            {
              ...each,
              ...timed,
              ...taken,
              note,
              exact: named === 'whole' && isExact(row, typed),
              preselects:
                each.preselects &&
                !taken.note &&
                !isOneOfSeveral(row, command) &&
                (!leadsToChange(command) || (isNamed(row) && isSaid(command))),
              onFound: true as const,
              tier: row.tier,
              record: row,
              near: named === 'first' ? -1 : near(row),
              place: places[named],
            },
          ]
        : []
    }),
  )
  type Done = (typeof rows)[number]
  const isWhole = ({ record }: Done) => hasWords(record, typed.text)
  /** Whether no other record has the name just as well: one of several would be a guess. */
  const isOnly = (row: Done) =>
    !rows.some(
      (other) =>
        other.command === row.command &&
        other.near === row.near &&
        other.record.id !== row.record.id &&
        (isWhole(other) || !isWhole(row)),
    )
  // `approve aoife` is the write-off that can be approved, rather than an identity check that cannot.
  const possible = new Set(rows.filter(({ usable }) => usable).map(({ command }) => command))
  const isOver = ({ command }: Done) => (possible.has(command) ? 0 : 1)
  const better = (a: Done, b: Done) =>
    isOver(a) - isOver(b) ||
    a.near - b.near ||
    (a.usable ? 0 : 1) - (b.usable ? 0 : 1) ||
    a.tier - b.tier ||
    // `edit birch` is Edit employer rather than one of its configurations.
    (changes(a.command) && a.command.on === b.command.on ? a.command.title.length - b.command.title.length : 0)
  const shown = rows
    .map((row) => ({ ...row, preselects: row.preselects && (!leadsToChange(row.command) || isOnly(row)) }))
    .sort(better)
    .slice(0, maxRecords)
  // A command whose title starts with the typed text comes first.
  shown.sort((a, b) => a.place - b.place || better(a, b))
  return { key: 'done-to', title: 'Commands', note: null, rows: shown }
}

/** Commands whose title contains the noun before an id, for the record with that id. */
export const alsoDone = (records: readonly Group[], about: ResultContext): Group => ({
  ...doneTo(
    records.map((group) => ({ ...group, rows: group.rows.filter((row) => row.kind === 'record' && isExact(row, about.typed)) })),
    about,
  ),
  key: 'also-done',
})

/** After the best matching company, a link to its employees, whose own names do not match. */
export function withPeople(group: Group, { commands, context, typed }: ResultContext): Group {
  const [row, ...others] = group.rows
  if (row?.kind !== 'record' || row.tier > tier.wordStart || isOnRecord(typed)) return group
  const command = commands.find((each) => each.id === `${row.entity.name}.employees`)
  const people = command && onRecord(command, row, context)
  return people?.usable ? { ...group, rows: [row, people, ...others] } : group
}
