import { useAtomValue } from 'jotai'
import { lazy, Suspense } from 'react'
import { Downtime } from '#portal/shell/downtime.tsx'
import { LastResort } from '#portal/shell/last-resort.tsx'
import { LiveRegions } from '#portal/shell/live-regions.tsx'
import { Toasts } from '#portal/shell/toasts.tsx'
import { Workspace } from '#portal/shell/workspace.tsx'
import { locationAtom } from '#portal/state/location.ts'
import { meAtom } from '#portal/state/session.ts'
import { startAtom } from '#portal/state/start-up.ts'

const SignIn = lazy(() => import('#portal/shell/sign-in/sign-in.tsx'))

function Screen() {
  const start = useAtomValue(startAtom)
  const me = useAtomValue(meAtom)
  const { pathname } = useAtomValue(locationAtom)
  if (start === 'starting') return null
  if (start === 'down') return <Downtime />
  if (me && pathname !== '/welcome' && pathname !== '/device') return <Workspace key={me.person.id} />
  return (
    <Suspense fallback={null}>
      <SignIn />
    </Suspense>
  )
}

/** The whole portal: away, signing in, or at work. */
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
