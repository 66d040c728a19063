import { useAtomValue } from 'jotai'
import { guard } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import { useRoving } from '#portal/shell/roving.ts'
import { paneAtom } from '#portal/state/panes.ts'
import { commands, entities } from '#portal/state/registry.ts'
import { heldAtom } from '#portal/state/situation.ts'
import { startCommand } from '#portal/state/start.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

/** The address that a command of the navigation leads to: that of the noun whose list it reads. */
const addressOf = (command: Command): string | undefined =>
  'reads' in command ? entities().find((entity) => entity.list === command.reads)?.path : undefined

/** 'Employees' for 'Open employees'. */
const short = (title: string): string => {
  const rest = title.replace(/^Open /, '')
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`
}

/** The places of the portal that this person may see, from the commands that lead there. */
export function Rail() {
  const held = useAtomValue(heldAtom)
  const pane = useAtomValue(paneAtom)
  const roving = useRoving('vertical')
  const items = commands().filter((command) => command.group === 'Navigation' && guard(command, held).verdict !== 'no')
  return (
    <nav className="frame-rail" aria-label="Places" {...roving}>
      {items.map((command) => {
        const address = addressOf(command)
        return (
          <a
            key={command.id}
            className="rail-item"
            href={address ?? '/'}
            title={short(command.title)}
            aria-current={address !== undefined && address === pane?.entity.path ? 'page' : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
              event.preventDefault()
              startCommand(command.id)
            }}
          >
            <Icon name={command.icon ?? ''} />
            <span>{short(command.title)}</span>
            {command.keys?.[0] && (
              <span className="ml-auto">
                <Kbd chord={command.keys[0].chord} plain />
              </span>
            )}
          </a>
        )
      })}
    </nav>
  )
}
