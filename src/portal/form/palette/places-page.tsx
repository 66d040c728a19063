import { useState } from 'react'
import { ListPage } from '#portal/form/palette/list-page.tsx'
import { open } from '#portal/commands/command-host.ts'
import { closePalette } from '#portal/commands/palette-state.ts'
import { otherPlaces, type RecentPlace } from '#portal/commands/places.ts'
import { focusRecord, focusWorkSoon } from '#portal/keyboard/focus.ts'

function goTo({ address }: RecentPlace, newTab: boolean): void {
  closePalette()
  open(address, { newTab })
  if (newTab) return
  if (/^\/[^/]+\/[^/]+$/.test(address.split('?')[0] ?? '')) focusRecord()
  else focusWorkSoon()
}

/** The screens of this tab that were left, last one first: Enter returns to one. */
export function PlacesPage() {
  const [places] = useState(otherPlaces)
  return (
    <ListPage
      title="Recent places"
      label="Recent places, last one first"
      empty={{ icon: 'history', sentence: 'You have been nowhere else in this tab yet.' }}
      rows={places}
      keyOf={({ address }) => address}
      content={({ title }) => <span className="truncate">{title}</span>}
      hints={() => [
        { chord: 'Enter', says: 'open' },
        { chord: 'Mod+Enter', says: 'new tab' },
      ]}
      onKey={({ event, mod }, place) => {
        if (event.key !== 'Enter' || event.repeat) return false
        goTo(place, mod)
        return true
      }}
      onPick={(place) => goTo(place, false)}
    />
  )
}
