import { useAtomValue } from 'jotai'
import { availability } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { everything } from '#portal/platform/bundle.ts'
import { commands, entityByName, registeredAtom } from '#portal/platform/registry.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { tabNameAtoms } from '#portal/list/lists.ts'
import { oneTarget } from '#portal/list/target.ts'
import { recordAtom } from '#portal/records/entity-store.ts'
import { readRecord } from '#portal/records/load-record.ts'
import type { ReadFilter } from '#portal/list/filters.ts'
import type { List } from '#portal/list/list.ts'
import { SimilarNames } from '#portal/list/similar-names.tsx'
import { isNotThere } from '#portal/records/read-one.ts'
import { useQuery } from '#portal/records/use-query.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { isUnconnected } from '#portal/session/unconnected.ts'
import { meAtom } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

/** Maximum number of references that are checked for existence. */
const maxAsked = 5

const BeingMade = () => (
  <span className="block text-muted">Past pay periods, time entries and transactions of the demo are still being made.</span>
)

/** Ids in reference filters that do not exist, or that the user has no access to. */
function useOutOfReach(filters: readonly ReadFilter[]): readonly string[] {
  const asked = filters.flatMap(({ filter, value, problem }) => {
    const entity = filter?.field.kind === 'reference' && !problem ? filter.field.entity : undefined
    return entity ? value.split(',').map((id) => ({ entity, id: id.trim() })) : []
  })
  const read = async (signal: AbortSignal) => {
    const named = async ({ entity, id }: (typeof asked)[number]) => {
      await everything()
      const of = entityByName(entity)
      try {
        await readRecord(of, id, signal)
        return []
      } catch (error) {
        return isNotThere(error) ? [`No ${of.one} ${id}, or none that you have access to.`] : []
      }
    }
    return (await Promise.all(asked.slice(0, maxAsked).map(named))).flat()
  }
  return useQuery(read, [JSON.stringify(asked)]).value ?? []
}

/**
 * The command that adds the first row, if the user can run it now: the one of the list, or in a tab the one whose key works there.
 */
function useNext({ definition: { next }, scope: { of }, side }: List): Command | undefined {
  const context = useAtomValue(commandContextAtom, { store })
  const tab = useAtomValue(tabNameAtoms[side], { store })
  useAtomValue(registeredAtom, { store })
  const record = useAtomValue(recordAtom(of?.entity ?? '', of?.id ?? ''), { store })
  const adds = ({ id, on, keys }: Command) =>
    of === null ? id === next : on?.name === of.entity && tab !== null && keys?.some((key) => key.tab === tab)
  return commands().find((command) => adds(command) && isUsable(command, context, record))
}

const isUsable = (command: Command, context: CommandContext, record: unknown): boolean =>
  ['ready', 'ask'].includes(availability(command, context, record).state)

/** Shown in place of the rows of an empty list: why, and the next useful action, which Enter in the list runs. */
export function EmptyNotice({ list }: { list: List }) {
  const filters = useAtomValue(list.filtersAtom, { store })
  const missing = useOutOfReach(filters)
  const narrowed = filters.some((filter) => !filter.problem)
  const q = useAtomValue(list.searchAtom, { store }).get('q')
  const me = useAtomValue(meAtom, { store })
  const { many, none, madeLater, entity } = list.definition
  const next = useNext(list)
  const { of } = list.scope
  const around = of && oneTarget(of.entity, of.id)
  const pending = me?.past_pending === true && madeLater === true
  const nothing = isUnconnected(me?.grants)
    ? 'No organization or employer is connected to you. An admin can connect them.'
    : (none ?? `There are no ${many} yet.`)
  return (
    <div className="list-notice" role="status">
      <span>
        {narrowed || q ? `No ${many} match.` : nothing}
        {missing.map((what) => (
          <span key={what} className="block text-muted">
            {what}
          </span>
        ))}
        {pending && <BeingMade />}
      </span>
      {/* Omitted with other filters or inside a record, which may exclude the similar names. */}
      {q && !narrowed && entity && list.scope.of === null && <SimilarNames entity={entity} text={q} />}
      {narrowed || q ? (
        <button type="button" className="btn" data-next onClick={() => startCommand('filter.clear')}>
          Clear the filters <Kbd chord="Enter" />
        </button>
      ) : next ? (
        <button type="button" className="btn" data-next onClick={() => startCommand(next.id, { targets: around ?? undefined })}>
          {next.title} <Kbd chord="Enter" />
        </button>
      ) : (
        <button type="button" className="btn" data-next onClick={() => startCommand('list.refresh')}>
          Refresh <Kbd chord="Enter" />
        </button>
      )}
    </div>
  )
}
