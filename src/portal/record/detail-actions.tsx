import { useAtomValue } from 'jotai'
import { availability } from '#kernel/availability.ts'
import { buttonOf, type Command } from '#kernel/command.ts'
import { type AnyEntity, nameOf } from '#kernel/entity.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { regionAtom, sideAtom } from '#portal/keyboard/focus.ts'
import { choose } from '#portal/keyboard/key-choice.ts'
import { useShortcut } from '#portal/ui/use-shortcut.ts'
import { tabNameAtoms } from '#portal/list/lists.ts'
import { openActions } from '#portal/platform/commands.ts'
import type { Targets } from '#portal/platform/commands.ts'
import { commands, entityByName, registeredAtom } from '#portal/platform/registry.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import { startCommand } from '#portal/platform/commands.ts'
import { store } from '#portal/platform/store.ts'
import { oneTarget, selectionAtom } from '#portal/list/target.ts'
import { useSide } from '#portal/record/side.ts'
import { recordAtom } from '#portal/records/entity-store.ts'
import { useFitRow } from '#portal/ui/fit-row.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'
import { wholeNumber } from '#domain/text.ts'

interface ActionProps {
  command: Command
  chord: string
  at: CommandContext
  row: unknown
  targets: Targets
}

function Action({ command, chord, at, row, targets }: ActionProps) {
  const shortcut = useShortcut()
  const state = availability(command, at, row)
  const why = 'sentence' in state ? state.sentence : undefined
  return (
    <button
      type="button"
      className="btn"
      data-fit
      aria-disabled={why !== undefined}
      aria-keyshortcuts={shortcut(chord)}
      title={why}
      onClick={() => startCommand(command.id, { targets })}
    >
      <Icon name={command.icon ?? ''} />
      {buttonOf(command, at, row)}
      <Kbd chord={chord} />
    </button>
  )
}

/**
 * Commands for the record, or for the rows of the list in its tab while that has the focus: those with a key, and of several on
 * one key the available one. What does not fit into one row is behind the last button, which lists all.
 */
export function DetailActions({ entity: own, id }: { entity: AnyEntity; id: string }) {
  const box = useFitRow<HTMLDivElement>()
  const shortcut = useShortcut()
  const context = useAtomValue(commandContextAtom, { store })
  const one = useAtomValue(recordAtom(own.name, id), { store })
  const side = useSide()
  const isHere = useAtomValue(sideAtom, { store }) === side
  const inTab = useAtomValue(regionAtom, { store }) === 'tab' && isHere
  const here = useAtomValue(selectionAtom, { store })
  const record = { ...oneTarget(own.name, id), rows: new Map([[id, one]]) }
  const selection = inTab && here ? here : record
  const { rows, ...targets } = selection
  const entity = entityByName(selection.entity)
  const row = targets.ids.length === 1 ? rows.get(targets.ids[0] as string) : undefined
  const isRecord = selection.entity === own.name && targets.ids[0] === id
  const at = { ...context, selection }
  const tab = useAtomValue(tabNameAtoms[side], { store })
  const keyOf = ({ keys }: Command) => keys?.find((key) => key.scope === 'row' && (key.tab === undefined || key.tab === tab))
  useAtomValue(registeredAtom, { store })
  const byChord = Map.groupBy(
    commands().filter((command) => command.on?.name === entity.name && keyOf(command)),
    (command) => keyOf(command)?.chord ?? '',
  )
  // Commands that add a row to the tab apply to the record, wherever the focus is.
  const adds = isRecord
    ? []
    : commands().filter(({ on, keys }) => on?.name === own.name && keys?.some((key) => key.tab === tab && tab !== null))
  return (
    <div ref={box} className="detail-acts" role="toolbar" aria-label="Actions" data-keeps-region>
      {!isRecord && (
        <b className="acts-of" data-fit data-kept>
          {row === undefined && targets.ids.length === 1
            ? `${entity.one} ${targets.ids[0]}`
            : row === undefined
              ? `${wholeNumber(targets.count ?? targets.ids.length)} ${entity.many}`
              : nameOf(entity, row)}
        </b>
      )}
      {[...byChord].map(([chord, same]) => {
        const command = choose(same, at)
        return command && <Action key={chord} command={command} chord={chord} at={at} row={row} targets={targets} />
      })}
      {adds.map((command) => {
        const { rows: _, ...around } = record
        return (
          <Action
            key={command.id}
            command={command}
            chord={keyOf(command)?.chord ?? ''}
            at={context}
            row={one}
            targets={around}
          />
        )
      })}
      <button type="button" className="btn" data-rest="always" aria-keyshortcuts={shortcut('a')} onClick={openActions}>
        All actions <Kbd chord="a" />
      </button>
    </div>
  )
}
