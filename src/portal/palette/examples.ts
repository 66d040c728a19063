import { may } from '#domain/permissions.ts'
import { firstViewOf } from '#contract/first-view.ts'
import { searchKinds } from '#contract/search.ts'
import { availability } from '#kernel/availability.ts'
import { changes, type Command, groupOf, isIrreversible, shortTitle, undoable } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { type AnyEntity, openCommand } from '#kernel/entity.ts'
import { asksFor } from '#kernel/form.ts'
import { apiClient } from '#portal/api/client.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import type { TextRow } from '#portal/palette/row.ts'
import { commandById, entities } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { knownRecords } from '#portal/records/entity-store.ts'
import { keepFound } from '#portal/records/find-locally.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'

/** A record that the person may see, and a command that is possible for it: what examples are made of. */
export interface Example {
  entity: AnyEntity
  record: unknown
  command: Command | null
  /** The count of changes of rights for which it is valid. */
  rights: number
}

/** Maximum number of records looked at for one with a command. */
const maxLooked = 20

/** Whether a command on a record only opens a form, and can be undone. */
const isTried = (command: Command, context: CommandContext, record: unknown): boolean =>
  changes(command) && asksFor(command, context, record) && !isIrreversible(command) && undoable(command, record)

/** A command for a record that Enter opens without changing anything; null if there is none. */
function commandFor(entity: AnyEntity, record: unknown, commands: readonly Command[], context: CommandContext): Command | null {
  const here = commands.filter(
    (command) => command.on?.name === entity.name && availability(command, context, record).state === 'ready',
  )
  const tried = here.filter((command) => isTried(command, context, record))
  return (
    tried.find(({ keys }) => keys?.some(({ scope }) => scope === 'row')) ??
    tried[0] ??
    here.find((command) => groupOf(command) === 'Tabs') ??
    null
  )
}

/** The first of some records with a command that can be tried on it, else the first one. */
function exampleOf(entity: AnyEntity, records: readonly unknown[], commands: readonly Command[]): Example | null {
  const context = store.get(commandContextAtom)
  const rights = store.get(rightsChangesAtom)
  const all = records.map((record) => ({ entity, record, rights, command: commandFor(entity, record, commands, context) }))
  return all.find(({ command }) => command && changes(command)) ?? all[0] ?? null
}

async function readSome(entity: AnyEntity): Promise<readonly unknown[]> {
  const known = [...knownRecords(entity.name)].slice(0, maxLooked)
  if (known.length) return known
  const { supports } = store.get(commandContextAtom)
  const view = firstViewOf(entity.list.path, entity.filters, (name) => supports(entity.list, name))
  const query = { ...entity.query, ...view, limit: String(maxLooked) }
  const rows = entity.rows((await apiClient.read(entity.list, {}, query, { background: true })) as never)
  keepFound(entity, rows)
  return rows
}

/** A record for examples, of the first list with records among those that the person may read; null if there is none. */
export async function findExample(commands: readonly Command[]): Promise<Example | null> {
  const { held, supports } = store.get(commandContextAtom)
  const kindOf = ({ list }: AnyEntity) => searchKinds.findIndex((kind) => list.path === `/${kind}`)
  const readable = entities()
    .filter((entity) => entity.pane && entity.ids.isSpoken && commandById(openCommand(entity)))
    .filter(({ list }) => supports(list) && may(held, list.needs) === 'yes' && kindOf({ list } as AnyEntity) !== -1)
    .sort((a, b) => kindOf(a) - kindOf(b))
  let other: Example | null = null
  for (const entity of readable) {
    const found = exampleOf(entity, await readSome(entity).catch(() => []), commands)
    if (found?.command) return found
    other ??= found
  }
  return other
}

const textRow = (icon: string, text: string, note: string): TextRow => ({
  ...{ kind: 'text', key: `text:${text}`, icon, title: text, text, note },
  ...{ found: null, tier: 0, usable: true, preselects: true },
})

/** The label of a record's status, by which its list can be filtered; null if it cannot. */
export function statusOf({ status, filters }: AnyEntity, record: unknown): string | null {
  const value = status?.of(record)
  const options = filters.find(({ id }) => id === 'status')?.field.options ?? []
  return options.find((option) => option.value === value)?.label ?? null
}

/** Texts that find something of the person's own data: an id, a name with a command, a list with a filter; and the help. */
export function exampleRows(example: Example | null): TextRow[] {
  const help = textRow('search', '?', 'All keys, and how to narrow a search')
  if (!example || example.rights !== store.get(rightsChangesAtom)) return [help]
  const { entity, record, command } = example
  const [id, name, state] = [entity.id(record), entity.title(record), statusOf(entity, record)]
  return [
    textRow(entity.icon, id, `An id opens its record: ${entity.one} ${name}`),
    ...(command
      ? [textRow(command.icon ?? 'arrow', `${shortTitle(command).toLowerCase()} ${name}`, `A command and its ${entity.one}`)]
      : []),
    ...(state ? [textRow('filter', `${state.toLowerCase()} ${entity.many}`, 'A list with a filter')] : []),
    help,
  ]
}
