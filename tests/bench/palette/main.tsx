// biome-ignore lint/style/noRestrictedImports: this page provides the store, as the portal's own does
import { Provider } from 'jotai'
import { createRoot } from 'react-dom/client'
import { Palette } from '#portal/palette/palette.tsx'
import { loadConfig } from '#portal/api/config.ts'
import { openPalette } from '#portal/commands/palette-state.ts'
import { register } from '#portal/platform/registry.ts'
import { meAtom, setApplicationKey, setToken } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { made, madeCommands, madeRecords } from '#tests/bench/palette/made-data.ts'
import '#portal/platform/styles.css'

// The real palette over generated data: ?n=10000 records beside 300 commands. Ctrl+K opens it; there is no API.
const count = Number(new URLSearchParams(location.search).get('n') ?? 10_000)

globalThis.fetch = async (input) => {
  const address = String(input instanceof Request ? input.url : input)
  return /\/made\/\d+/.test(address)
    ? Response.json({ type: 'about:blank', title: 'Not found', status: 404, code: 'not-found' }, { status: 404 })
    : Response.json(
        address.endsWith('/config.json')
          ? { environment: 'local', api: '/api', application_key: '', version: '0' }
          : { made: [], lek: null },
      )
}

setApplicationKey('bench')
setToken('bench')
register({ commands: madeCommands(300), entities: [made] })
store.set(meAtom, {
  person: { id: 'bench', name: 'Bench', email: 'bench@example.com', kind: 'ADMIN' },
  groups: [],
  grants: null,
  permissions: [],
  session: { idle_seconds: 900, warning_seconds: 120 },
} as never)
upsertRecords('made', madeRecords(count))

addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  openPalette()
})

await loadConfig()
createRoot(document.getElementById('root') as HTMLElement).render(
  <Provider store={store}>
    <Palette />
  </Provider>,
)
