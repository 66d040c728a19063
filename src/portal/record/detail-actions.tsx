import { useAtomValue } from 'jotai'
import { availability } from '#kernel/availability.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { choose } from '#portal/state/key-choice.ts'
import { openActions } from '#portal/state/palette.ts'
import { commands } from '#portal/state/registry.ts'
import { situationAtom } from '#portal/state/situation.ts'
import { startCommand } from '#portal/state/start.ts'
import { store } from '#portal/state/store.ts'
import { oneTarget } from '#portal/state/target.ts'
import { thingAtom } from '#portal/state/things.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

/** What can be done with the record: its own commands that have a key, of those on one key the one that can be run. */
export function DetailActions({ entity, id }: { entity: AnyEntity; id: string }) {
  const situation = useAtomValue(situationAtom, { store })
  const one = useAtomValue(thingAtom(entity.name, id), { store })
  const targets = oneTarget(entity.name, id)
  const here = { ...situation, selection: { ...targets, rows: new Map([[id, one]]) } }
  const byChord = Map.groupBy(
    commands().filter((command) => command.on?.name === entity.name && command.keys?.some((key) => key.scope === 'row')),
    (command) => command.keys?.find((key) => key.scope === 'row')?.chord ?? '',
  )
  return (
    <div className="detail-acts" role="toolbar" aria-label="Actions">
      {[...byChord].map(([chord, same]) => {
        const command = choose(same, here)
        if (!command) return null
        const state = availability(command, here, one)
        const why = 'sentence' in state ? state.sentence : undefined
        return (
          <button
            key={chord}
            type="button"
            className="btn"
            aria-disabled={why !== undefined}
            aria-keyshortcuts={chord}
            title={why}
            onClick={() => startCommand(command.id, { targets })}
          >
            <Icon name={command.icon ?? ''} />
            {command.title.replace(` ${entity.one}`, '')}
            <Kbd chord={chord} />
          </button>
        )
      })}
      <button type="button" className="btn" aria-keyshortcuts="a" onClick={openActions}>
        All actions <Kbd chord="a" />
      </button>
    </div>
  )
}
