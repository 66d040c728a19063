import { summaryCall } from '#contract/listings.ts'
import { Dashboard } from '#portal/nouns/dashboard/dashboard.tsx'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/dashboard`: what needs the user's attention today (SCR-007). */
export default defineScreen({
  title: 'Dashboard',
  needs: summaryCall.needs,
  reads: summaryCall,
  back: () => '/',
  body: Dashboard,
  keys: [
    { chords: ['1–9'], says: 'open a line' },
    { chords: ['j', 'k'], says: 'next, previous' },
    { chords: ['Enter'], says: 'open' },
    { chords: ['Mod+K'], says: 'anything' },
    { chords: ['r'], says: 'refresh' },
    { chords: ['?'], says: 'keys' },
  ],
})
