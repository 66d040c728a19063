import { Menu, MenuButton, MenuItem, MenuItems } from '@headlessui/react'
import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { type Command, groupOf } from '#kernel/command.ts'
import { Person } from '#portal/shell/person.tsx'
import { commands, registeredAtom } from '#portal/platform/registry.ts'
import { meAtom } from '#portal/api/session.ts'
import { startCommand } from '#portal/commands/start.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

/** The commands of the view come before those of the session. */
const late = (command: Command): number => (groupOf(command) === 'View' ? 0 : 1)

/** The account menu: the user's name, and the commands that ask to be in it. */
export function AccountMenu({ wanted }: { wanted: boolean }) {
  const me = useAtomValue(meAtom)
  useAtomValue(registeredAtom)
  const button = useRef<HTMLButtonElement>(null)
  const opened = useRef(false)
  useEffect(() => {
    // Opens at once if it was requested before it was loaded.
    if (!wanted || opened.current) return
    opened.current = true
    button.current?.focus()
    button.current?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  }, [wanted])
  return (
    <Menu>
      <MenuButton as={Person} ref={button} />
      <MenuItems anchor={{ to: 'bottom end', gap: 6 }} className="sheet z-40 min-w-64 p-1.5 focus:outline-none">
        <div className="px-2 pt-1 pb-2">
          <p className="font-semibold">{me?.person.name}</p>
          <p className="truncate text-small text-muted">{me?.person.email}</p>
        </div>
        {commands()
          .filter((command) => 'place' in command && command.place === 'account-menu')
          .sort((a, b) => late(a) - late(b))
          .map((command) => (
            <MenuItem key={command.id}>
              <button type="button" className="menu-item" onClick={() => startCommand(command.id)}>
                <Icon name={command.icon ?? ''} />
                <span>{command.title}</span>
                <span className="ml-auto">{command.keys?.[0] && <Kbd chord={command.keys[0].chord} />}</span>
              </button>
            </MenuItem>
          ))}
      </MenuItems>
    </Menu>
  )
}
