import { useAtomValue } from 'jotai'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { removeEarly } from '#portal/hotkeys/key-queue.ts'
import { later } from '#portal/ui/later.tsx'
import { Downtime } from '#portal/shell/downtime.tsx'
import { LastResort } from '#portal/shell/last-resort.tsx'
import { LiveRegions } from '#portal/shell/live-regions.tsx'
import { Toasts } from '#portal/shell/toasts.tsx'
import { Workspace } from '#portal/shell/workspace.tsx'
import { untilThere } from '#portal/platform/deferred.ts'
import { locationAtom } from '#portal/platform/location.ts'
import { meAtom } from '#portal/api/session.ts'
import { startAtom, startUp } from '#portal/session/start-up.ts'

const signIn = later(async () => (await import('#portal/session/sign-in/sign-in.tsx')).default)

/** The sign-in screen; retried until it is loaded. */
function Door({ was }: { was: string }) {
  const [state, setState] = useState<'coming' | 'failed' | 'there'>('coming')
  useEffect(() => {
    void untilThere(signIn.fetch, () => setState('failed')).then(() => setState('there'))
  }, [])
  const SignIn = signIn.part()
  if (SignIn) return <SignIn was={was} />
  return state === 'failed' ? (
    <Downtime
      again={() =>
        void signIn.fetch().then(
          () => setState('there'),
          () => {},
        )
      }
    />
  ) : null
}

function Screen() {
  const start = useAtomValue(startAtom)
  const me = useAtomValue(meAtom)
  const was = useRef('')
  if (me) was.current = me.person.email
  const { pathname } = useAtomValue(locationAtom)
  const works = me && pathname !== '/welcome' && pathname !== '/device'
  // Without the workspace nothing takes over what was typed into the palette of the first frame.
  useLayoutEffect(() => {
    if (start !== 'starting' && (start === 'down' || !works)) removeEarly()
  }, [start, works])
  if (start === 'starting') return null
  if (start === 'down') return <Downtime again={() => void startUp()} />
  if (works) return <Workspace key={me.person.id} />
  return <Door was={me ? '' : was.current} />
}

/** The whole portal: downtime, sign-in, or workspace. */
export function App() {
  return (
    <>
      <LastResort about="portal">
        <Screen />
      </LastResort>
      <Toasts />
      <LiveRegions />
    </>
  )
}
