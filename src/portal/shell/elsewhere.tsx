import { useAtomValue } from 'jotai'
import { type ComponentType, useEffect, useMemo } from 'react'
import { startOf } from '#contract/named-views.ts'
import { may, noPermission } from '#domain/permissions.ts'
import { notOffered } from '#kernel/availability.ts'
import { offersAtom } from '#portal/api/capabilities.ts'
import type { FormScreen as FormScreenOf, Screen, ScreenProps } from '#portal/ui/screen.ts'
import { pageFormOf, screenAt } from '#portal/app/screens.ts'
import { go, locationAtom } from '#portal/app/location.ts'
import { commands } from '#portal/app/registry.ts'
import { store } from '#portal/app/store.ts'
import { FormScreen } from '#portal/form/form-screen.tsx'
import { pageKeys } from '#portal/form/page-keys.ts'
import { paneAtom } from '#portal/list/panes.ts'
import { pageKeysAtom } from '#portal/keyboard/key-map.ts'
import { heldAtom } from '#portal/session/session.ts'
import { thing } from '#portal/records/things.ts'
import { Notice } from '#portal/shell/notice.tsx'
import { placesOf } from '#portal/shell/places.ts'
import { type Later, later, Part } from '#portal/ui/later.tsx'

const usePlaces = () => placesOf(commands(), useAtomValue(heldAtom), useAtomValue(offersAtom))

/** A way on from a page that shows nothing. */
function WayBack() {
  const [start] = usePlaces()
  if (!start) return null
  return (
    <a
      className="btn"
      href={startOf(start.address)}
      onClick={(event) => {
        event.preventDefault()
        go(startOf(start.address))
      }}
    >
      Go to {start.title.toLowerCase()}
    </a>
  )
}

type DrawnProps = Pick<ScreenProps, 'id'>
const parts = new Map<string, Later<DrawnProps>>()

/** A screen as a part that is fetched when it is drawn, with the form of its command. */
function partOf(name: string, load: () => Promise<Screen>): Later<DrawnProps> {
  const known = parts.get(name)
  if (known) return known
  const part = later(async () => {
    const screen = await load()
    const Body = 'form' in screen ? await formOf(screen) : screen.body
    const keys = 'form' in screen ? pageKeys : screen.keys
    return ({ id }: DrawnProps) => <Drawn screen={screen} Body={Body} keys={keys} id={id} />
  })
  parts.set(name, part)
  return part
}

async function formOf({ title, form: { command }, beside }: FormScreenOf): Promise<ComponentType<ScreenProps>> {
  const page = await pageFormOf(command)
  if (!page) throw new Error(`The command ${command} has no page.`)
  return ({ id, leave }) => <FormScreen page={page} title={title} id={id ?? ''} leave={leave} beside={beside} />
}

interface DrawnScreen extends DrawnProps {
  screen: Screen
  Body: ComponentType<ScreenProps>
  keys: typeof pageKeys
}

function Drawn({ screen, Body, keys, id }: DrawnScreen) {
  const held = useAtomValue(heldAtom)
  useEffect(() => {
    store.set(pageKeysAtom, keys)
    return () => store.set(pageKeysAtom, null)
  }, [keys])
  if (may(held, screen.needs) === 'no')
    return (
      <Notice title={screen.title} text={noPermission}>
        <WayBack />
      </Notice>
    )
  const known = () => ('form' in screen && id !== null ? thing(screen.form.on.name, id) : undefined)
  return <Body id={id} leave={() => leave(screen.back(id ?? '', known()))} />
}

/** Goes to what was open before the page, else to where it leads back. */
function leave(back: string): void {
  const { navigation } = globalThis as { navigation?: { canGoBack: boolean } }
  if (navigation?.canGoBack) history.back()
  else go(back)
}

/** What the address names when that is no list that the person may see: a screen, or a page that says why there is none. */
export function Elsewhere() {
  const { pathname = '/' } = useAtomValue(locationAtom)
  const denied = useAtomValue(paneAtom)
  const lists = usePlaces()
  const offers = useAtomValue(offersAtom)
  const at = useMemo(() => screenAt(pathname), [pathname])
  if (at) return <Part key={pathname} of={partOf(at.name, at.load)} props={{ id: at.id }} />
  if (!lists.length)
    return (
      <Notice
        title="You have no access yet"
        text="Your account has no permission for any list. Ask an administrator for a group."
      />
    )
  return (
    <Notice
      title={denied?.title ?? 'There is no such page'}
      text={
        denied ? (offers(denied.entity.list) ? noPermission : notOffered) : 'The address may be mistyped, or the page was moved.'
      }
    >
      <WayBack />
    </Notice>
  )
}
