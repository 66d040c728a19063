import { useAtomValue } from 'jotai'
import { type ComponentType, useEffect } from 'react'
import { startOf } from '#contract/named-views.ts'
import { may } from '#domain/permissions.ts'
import { lockedTo, notOffered } from '#kernel/availability.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { navigate } from '#portal/platform/location.ts'
import { commands } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { type KeyLine, pageKeysAtom } from '#portal/keyboard/key-map.ts'
import { record } from '#portal/records/entity-store.ts'
import { heldAtom } from '#portal/api/session.ts'
import { Notice } from '#portal/shell/notice.tsx'
import { type NamedPlace, placesOf } from '#portal/shell/places.ts'
import type { BodyScreen, Screen, ScreenProps } from '#portal/ui/screen.ts'

/** The places that the user may see. */
export const usePlaces = (): NamedPlace[] => placesOf(commands(), useAtomValue(heldAtom), useAtomValue(capabilitiesAtom))

/** A link away from a page that shows nothing. */
export function WayBack() {
  const [start] = usePlaces()
  if (!start) return null
  return (
    <a
      className="btn"
      href={startOf(start.address)}
      onClick={(event) => {
        event.preventDefault()
        navigate(startOf(start.address))
      }}
    >
      Go to {start.title.toLowerCase()}
    </a>
  )
}

interface DrawnProps {
  screen: Screen
  /** The id of the record that the screen is about. */
  id: string | null
  Body: ComponentType<ScreenProps>
  keys: readonly KeyLine[]
}

/** A screen, with its keys in the status bar; users without access get a page that says so. */
export function Drawn({ screen, Body, keys, id }: DrawnProps) {
  const held = useAtomValue(heldAtom)
  const supports = useAtomValue(capabilitiesAtom)
  useEffect(() => {
    store.set(pageKeysAtom, keys)
    return () => store.set(pageKeysAtom, null)
  }, [keys])
  const lacks = 'reads' in screen && screen.reads && !supports(screen.reads)
  if (lacks || may(held, screen.needs) === 'no')
    return (
      <Notice title={screen.title} text={lacks ? notOffered : lockedTo(held, screen.needs)}>
        <WayBack />
      </Notice>
    )
  const known = () => ('form' in screen && id !== null ? record(screen.form.on.name, id) : undefined)
  return <Body id={id} leave={() => leave(screen.back(id ?? '', known()))} />
}

/** A screen without a form. */
export const DrawnScreen = ({ screen, id }: { screen: BodyScreen; id: string | null }) => (
  <Drawn screen={screen as Screen} Body={screen.body} keys={screen.keys} id={id} />
)

/** Goes back in the history, else to the parent page. */
function leave(back: string): void {
  const { navigation } = globalThis as { navigation?: { canGoBack: boolean } }
  if (navigation?.canGoBack) history.back()
  else navigate(back)
}
