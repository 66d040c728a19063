import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { may, noPermission } from '#domain/permissions.ts'
import { PaneScreen } from '#portal/panes/pane-screen.tsx'
import { Notice } from '#portal/shell/notice.tsx'
import { go, locationAtom } from '#portal/state/location.ts'
import { paneAtom, panes } from '#portal/state/panes.ts'
import { heldAtom } from '#portal/state/situation.ts'

/** What the address names: a list, or a page that says why there is none. */
export function Place() {
  const pane = useAtomValue(paneAtom)
  const { pathname } = useAtomValue(locationAtom)
  const held = useAtomValue(heldAtom)
  const start = panes().find((each) => may(held, each.entity.list.needs) !== 'no')
  const home = start && (pathname === '/' || pathname === '/welcome')
  useEffect(() => {
    if (home) go(start.entity.path + (pathname === '/' ? location.search : ''), { replace: true })
  }, [home, start, pathname])

  if (home) return null
  const wayBack = start && (
    <a
      className="btn"
      href={start.entity.path}
      onClick={(event) => {
        event.preventDefault()
        go(start.entity.path)
      }}
    >
      Go to {start.entity.many}
    </a>
  )
  if (!start)
    return (
      <Notice
        title="Nothing is open to you yet"
        text="Your account has no permission for any list. Ask an administrator for a group."
      />
    )
  if (!pane)
    return (
      <Notice title="There is no such page" text="The address may be mistyped, or the page was moved.">
        {wayBack}
      </Notice>
    )
  if (may(held, pane.entity.list.needs) === 'no')
    return (
      <Notice title={pane.title} text={noPermission}>
        {wayBack}
      </Notice>
    )
  return <PaneScreen />
}
