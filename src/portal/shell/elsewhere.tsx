import { useAtomValue } from 'jotai'
import { type ComponentType, useMemo } from 'react'
import { lockedTo, notOffered } from '#kernel/availability.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import type { FormScreen as FormScreenOf, Screen, ScreenProps } from '#portal/ui/screen.ts'
import { screenAt } from '#portal/ui/screens.ts'
import { pageFormOf } from '#portal/platform/page-forms.ts'
import { locationAtom } from '#portal/platform/location.ts'
import { FormScreen } from '#portal/form/page/form-screen.tsx'
import { pageKeys } from '#portal/form/page/page-keys.ts'
import { paneAtom } from '#portal/list/panes.ts'
import { heldAtom } from '#portal/api/session.ts'
import { Drawn, DrawnScreen, usePlaces, WayBack } from '#portal/shell/drawn-screen.tsx'
import { Notice } from '#portal/shell/notice.tsx'
import { type Later, later, Part } from '#portal/ui/later.tsx'

type DrawnProps = Pick<ScreenProps, 'id'>
const parts = new Map<string, Later<DrawnProps>>()

/** A screen as a lazy part, with the form of its command. */
function partOf(name: string, load: () => Promise<Screen>): Later<DrawnProps> {
  const known = parts.get(name)
  if (known) return known
  const part = later(async () => {
    const screen = await load()
    if (!('form' in screen)) return ({ id }: DrawnProps) => <DrawnScreen screen={screen} id={id} />
    const Form = await formOf(screen)
    return ({ id }: DrawnProps) => <Drawn screen={screen} Body={Form} keys={pageKeys} id={id} />
  })
  parts.set(name, part)
  return part
}

async function formOf({ title, form: { command }, beside }: FormScreenOf): Promise<ComponentType<ScreenProps>> {
  const page = await pageFormOf(command)
  if (!page) throw new Error(`The command ${command} has no page.`)
  return ({ id, leave }) => <FormScreen page={page} title={title} id={id ?? ''} leave={leave} beside={beside} />
}

/** The content for an address that is no list the user may see: a screen, or a page that says why there is none. */
export function Elsewhere() {
  const { pathname = '/' } = useAtomValue(locationAtom)
  const denied = useAtomValue(paneAtom)
  const held = useAtomValue(heldAtom)
  const lists = usePlaces()
  const supports = useAtomValue(capabilitiesAtom)
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
        denied
          ? supports(denied.entity.list)
            ? lockedTo(held, denied.entity.list.needs)
            : notOffered
          : 'The address may be mistyped, or the page was moved.'
      }
    >
      <WayBack />
    </Notice>
  )
}
