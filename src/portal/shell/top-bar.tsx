import { useState } from 'react'
import { later, useLater } from '#portal/ui/later.tsx'
import { withEverything } from '#portal/platform/bundle.ts'
import { useRoving } from '#portal/shell/roving.ts'
import { Person } from '#portal/shell/person.tsx'
import { config } from '#portal/api/config.ts'
import { openPalette } from '#portal/commands/palette-state.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'
import { Logo } from '#portal/ui/logo.tsx'

const accountMenu = later(async () => (await withEverything(import('#portal/shell/account-menu.tsx'))).AccountMenu)

/** Logo, palette button, environment and account menu. */
export function TopBar() {
  const roving = useRoving('horizontal')
  const [asked, setAsked] = useState(false)
  const [near, setNear] = useState(false)
  const { Component: AccountMenu, failed, again } = useLater(accountMenu, near || asked)
  return (
    <header className="frame-top" {...roving}>
      <div className="px-3.5">
        <Logo />
      </div>
      <button
        type="button"
        className="flex h-[30px] w-[min(560px,100%)] items-center gap-2 justify-self-center rounded-[7px] border border-line bg-surface pr-2 pl-2.5 text-muted"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => openPalette()}
      >
        <Icon name="search" />
        <span className="truncate">Type a command, a name or an id</span>
        <span className="ml-auto">
          <Kbd chord="Mod+K" />
        </span>
      </button>
      <div className="flex items-center gap-2.5 justify-self-end px-3.5">
        <span
          className="rounded border border-line-strong px-1.5 text-tiny font-semibold tracking-[.02em] text-muted"
          title="Environment"
        >
          {config().environment.toUpperCase()}
        </span>
        {AccountMenu ? (
          <AccountMenu wanted={asked} />
        ) : (
          <Person
            onPointerEnter={() => setNear(true)}
            onPointerDown={() => setAsked(true)}
            onClick={() => {
              setAsked(true)
              if (failed) again()
            }}
          />
        )}
      </div>
    </header>
  )
}
