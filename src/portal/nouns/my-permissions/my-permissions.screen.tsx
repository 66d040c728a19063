import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { signedIn } from '#domain/permissions.ts'
import { employer } from '#entities/employer.ts'
import { organization } from '#entities/organization.ts'
import { HeldRights } from '#portal/nouns/held.tsx'
import { Named } from '#portal/nouns/named.tsx'
import { meAtom } from '#portal/api/session.ts'
import { useEscape } from '#portal/ui/use-escape.ts'
import { focusArrived } from '#portal/ui/focus-arrived.ts'
import { defineScreen, type ScreenProps } from '#portal/ui/screen.ts'
import '#portal/nouns/my-permissions/my-permissions.css'

/** What the signed-in user may do, and for which companies (SCR-068). */
function MyPermissions({ leave }: ScreenProps) {
  const me = useAtomValue(meAtom)
  const page = useRef<HTMLElement>(null)
  useEffect(() => focusArrived(page.current), [])
  useEscape(leave)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
    <section ref={page} data-region="screen" tabIndex={0} aria-label="My permissions" className="plain-page">
      <title>My permissions - Admin Portal</title>
      <header>
        <h2>My permissions</h2>
        {me && (
          <p>
            {me.person.name}, {me.person.email}
          </p>
        )}
      </header>
      {me && (
        <div className="detail-body">
          <HeldRights held={me} />
          {me.grants && (
            <>
              <Named
                title="Organizations"
                none="No organization as a whole."
                entity={organization}
                records={me.grants.organizations}
              />
              <Named title="Employers" none="No single employer." entity={employer} records={me.grants.employers} />
            </>
          )}
        </div>
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
  keys: [
    { chords: ['Escape'], says: 'close' },
    { chords: ['Mod+K'], says: 'anything' },
    { chords: ['?'], says: 'keys' },
  ],
})
