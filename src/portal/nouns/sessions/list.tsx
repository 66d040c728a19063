import { type Session, sessionSorts } from '#contract/sessions.ts'
import { sessionStates } from '#domain/session.ts'
import { session } from '#entities/session.ts'
import { type Column, definePane } from '#portal/list/pane.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { sortsOf, states, times, twoLines } from '#portal/nouns/columns.tsx'
import { later } from '#portal/ui/later.tsx'

const columns: readonly Column<Session>[] = [
  {
    id: 'device',
    title: 'Device, address',
    width: [170, 1.5],
    keep: 3,
    long: true,
    text: (one) => `${one.device}, ${one.address}`,
    draw: (one) => twoLines(one.device, one.address),
  },
  states('state', 'Session', 96, sessionStates, (one) => one.state, { keep: 3 }),
  times('created', 'Signed in', (one) => one.created_at, { sort: 'created_at', keep: 2 }),
  times('active', 'Last used', (one) => one.last_active_at, { sort: 'last_active_at', keep: 2 }),
  times('expires', 'Ends at the latest', (one) => one.expires_at),
]

/** The sessions of the signed-in user. */
export default definePane<Session>({
  entity: session,
  title: 'Your sessions',
  columns,
  shown: ['device', 'state', 'created', 'active', 'expires'],
  sorts: sortsOf(sessionSorts, columns),
  newestFirst: true,
  sub: (one) => <span>{one.address}</span>,
  tabs: {
    general: later(async () => (await import('#portal/nouns/sessions/general.tsx')).SessionGeneral),
  },
  words: changeWords({}),
})
