import { Menu, MenuButton, MenuItem, MenuItems } from '@headlessui/react'
import { focusSoon } from '#portal/keyboard/focus.ts'
import { tabId, useSide } from '#portal/record/side.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

interface MoreTabsProps {
  tabs: readonly { id: string; title: string }[]
  choose: (tab: string) => void
}

const isHidden = (id: string): boolean => document.getElementById(id)?.hasAttribute('hidden') ?? false

/** The menu of the tabs that do not fit into their row. */
export function MoreTabs({ tabs, choose }: MoreTabsProps) {
  const side = useSide()
  const open = (id: string) => {
    choose(id)
    focusSoon(`#${tabId(side, id)}[aria-selected="true"]`)
  }
  return (
    <Menu>
      <MenuButton className="tabs-more" aria-label="More tabs">
        More <Icon name="down" size={12} />
      </MenuButton>
      <MenuItems anchor={{ to: 'bottom end', gap: 4 }} className="sheet z-40 min-w-48 p-1.5 focus:outline-none">
        {tabs.map(
          ({ id, title }, index) =>
            isHidden(tabId(side, id)) && (
              <MenuItem key={id}>
                <button type="button" className="menu-item" onClick={() => open(id)}>
                  <span>{title}</span>
                  <span className="ml-auto">{index < 9 && <Kbd chord={String(index + 1)} />}</span>
                </button>
              </MenuItem>
            ),
        )}
      </MenuItems>
    </Menu>
  )
}
