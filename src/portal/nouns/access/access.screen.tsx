import { any } from '#domain/permissions.ts'
import { AccessPage } from '#portal/access/access-page.tsx'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/access`: why somebody cannot see or do something, and what would change that. */
export default defineScreen({
  title: 'Explain access',
  // Permissions of admins can be read by fewer people than those of account managers.
  needs: any('read:employers', 'read:organizations', 'read:admins'),
  back: () => '/',
  body: AccessPage,
  keys: [
    { chords: ['Tab'], says: 'next field' },
    { chords: ['Escape'], says: 'close' },
    { chords: ['Mod+K'], says: 'anything' },
  ],
})
