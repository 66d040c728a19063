import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { signedIn } from '#domain/permissions.ts'
import { employer } from '#entities/employer.ts'
import { organization } from '#entities/organization.ts'
import { HeldRights } from '#portal/nouns/held.tsx'
import { Named } from '#portal/nouns/named.tsx'
import { meAtom } from '#portal/session/session.ts'
import { defineScreen, type ScreenProps } from '#portal/ui/screen.ts'

/** What the person who is signed in may do, and about whom (SCR-068). */
function MyPermissions({ leave }: ScreenProps) {
  const me = useAtomValue(meAtom)
  const page = useRef<HTMLElement>(null)
  useEffect(() => page.current?.focus(), [])
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    leave()
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={page} data-region="page" tabIndex={0} onKeyDown={keys} aria-label="My permissions" className="plain-page">
      <h2>My permissions</h2>
      {me && (
        <>
          <p className="text-muted">
            {me.person.name}, {me.person.email}
          </p>
          <HeldRights held={me} />
          {me.grants && (
            <>
              <Named
                title="Organizations"
                none="No organization as a whole."
                entity={organization}
                things={me.grants.organizations}
              />
              <Named title="Employers" none="No single employer." entity={employer} things={me.grants.employers} />
            </>
          )}
        </>
      )}
    </section>
  )
}

/** `/my-permissions` */
export default defineScreen({
  title: 'My permissions',
  needs: signedIn,
  back: () => '/',
  body: MyPermissions,
  keys: [{ chords: ['Escape'], says: 'close' }],
})
