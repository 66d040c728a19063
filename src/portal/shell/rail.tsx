import { useAtomValue } from 'jotai'
import { Fragment } from 'react'
import { startOf } from '#contract/named-views.ts'
import { placeCountsAtom } from '#portal/list/attention.ts'
import { type NamedPlace, placesOf } from '#portal/shell/places.ts'
import { useRoving } from '#portal/shell/roving.ts'
import { locationAtom } from '#portal/platform/location.ts'
import { commands, registeredAtom } from '#portal/platform/registry.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { heldAtom } from '#portal/api/session.ts'
import { startCommand } from '#portal/commands/start.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

/** The address of the open place: a filtered list is more specific than the list itself. */
function openAddress(places: readonly NamedPlace[], pathname: string, search: URLSearchParams): string | undefined {
  const here = places.filter(({ address }) => {
    const [path = '', wanted = ''] = address.split('?')
    const inside = pathname === path || pathname.startsWith(`${path}/`)
    return inside && [...new URLSearchParams(wanted)].every(([name, value]) => search.get(name) === value)
  })
  return here.sort((a, b) => b.address.length - a.address.length)[0]?.address
}

function Item({ place, here, count }: { place: NamedPlace; here: boolean; count: number | undefined }) {
  const { command, address, title } = place
  return (
    <a
      className="rail-item"
      href={startOf(address)}
      title={title}
      aria-current={here ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        startCommand(command.id)
        // The opened place gets the focus.
        event.currentTarget.blur()
      }}
    >
      <div className="rail-mark" data-count={count}>
        <Icon name={command.icon ?? ''} />
        {count !== undefined && <small>{count > 99 ? '99+' : count}</small>}
      </div>
      <span>{title}</span>
      {command.keys?.[0] && (
        <span className="ml-auto">
          <Kbd chord={command.keys[0].chord} plain />
        </span>
      )}
    </a>
  )
}

/** The places that this user may see, from the commands that open them. */
export function Rail() {
  const held = useAtomValue(heldAtom)
  const { pathname = '/', searchParams } = useAtomValue(locationAtom)
  const counts = useAtomValue(placeCountsAtom)
  const roving = useRoving('vertical')
  const places = placesOf(commands(), held, useAtomValue(capabilitiesAtom))
  useAtomValue(registeredAtom)
  const open = openAddress(places, pathname, new URLSearchParams(searchParams))
  return (
    <nav className="frame-rail" aria-label="Places" {...roving}>
      {places.map((place, index) => (
        <Fragment key={place.address}>
          {place.below && place.below !== places[index - 1]?.below && <h2>{place.below}</h2>}
          <Item place={place} here={place.address === open} count={counts.get(place.address)} />
        </Fragment>
      ))}
    </nav>
  )
}
