import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { startOf } from '#contract/named-views.ts'
import { may } from '#domain/permissions.ts'
import { PaneScreen } from '#portal/shell/pane-screen.tsx'
import { isLanding, landing } from '#portal/shell/landing.tsx'
import { Notice } from '#portal/shell/notice.tsx'
import { later, Part } from '#portal/ui/later.tsx'
import { placesOf } from '#portal/shell/places.ts'
import { withEverything } from '#portal/platform/bundle.ts'
import { navigate, locationAtom } from '#portal/platform/location.ts'
import { loadPane, paneAtom, paneStateAtom } from '#portal/list/panes.ts'
import { commands } from '#portal/platform/registry.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { heldAtom } from '#portal/api/session.ts'

const elsewhere = later(async () => (await withEverything(import('#portal/shell/elsewhere.tsx'))).Elsewhere)
const drawer = later(async () => (await import('#portal/drawer/drawer.tsx')).Drawer)

/** Shown beside the page, if the address asks for it. */
function DrawerSlot() {
  const { searchParams } = useAtomValue(locationAtom)
  return searchParams?.has('entity_type') || searchParams?.has('entity_id') ? <Part of={drawer} props={{}} /> : null
}

/** The content for the address: a list, else a lazy part: a screen, or a page that says why there is none. */
export function Place() {
  const pane = useAtomValue(paneAtom)
  const { pathname = '/' } = useAtomValue(locationAtom)
  const held = useAtomValue(heldAtom)
  const state = useAtomValue(paneStateAtom)
  const supports = useAtomValue(capabilitiesAtom)
  const start = placesOf(commands(), held, supports)[0]
  const home = start && (pathname === '/' || pathname === '/welcome')
  useEffect(() => {
    if (home)
      navigate(location.search && pathname === '/' ? start.address + location.search : startOf(start.address), { replace: true })
  }, [home, start, pathname])

  if (home || state === 'coming') return null
  if (isLanding(pathname))
    return (
      <>
        <Part of={landing} props={{}} />
        <DrawerSlot />
      </>
    )
  if (state === 'failed')
    return (
      <Notice title="This list could not be loaded" text="A part of the portal did not arrive. Check the network.">
        <button type="button" className="btn" onClick={() => void loadPane(pathname.split('/')[1] ?? '').catch(() => {})}>
          Try again
        </button>
      </Notice>
    )
  if (!pane || may(held, pane.entity.list.needs) === 'no' || !supports(pane.entity.list))
    return <Part of={elsewhere} props={{}} />
  return (
    <>
      <PaneScreen />
      <DrawerSlot />
    </>
  )
}
