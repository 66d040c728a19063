// biome-ignore lint/style/noRestrictedImports: this page provides the store, as the portal's own does
import { Provider } from 'jotai'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { endpoint } from '#contract/define.ts'
import { byId, nothing } from '#contract/fields.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'
import { Grid } from '#portal/list/grid.tsx'
import { definePane } from '#portal/list/pane.ts'
import { loadConfig } from '#portal/api/config.ts'
import type { List } from '#portal/list/list.ts'
import { mainListAtom, watchMainList } from '#portal/list/lists.ts'
import { navigate } from '#portal/platform/location.ts'
import { registerPanes } from '#portal/list/panes.ts'
import { register } from '#portal/platform/registry.ts'
import { setApplicationKey, setToken } from '#portal/api/session.ts'
import { store } from '#portal/platform/store.ts'
import { type MadeRow, madeHeads, madeRow } from '#tests/bench/grid/made-rows.ts'
import '#portal/list/grid.css'
import '#portal/list/pane.css'
import '#portal/platform/styles.css'
import { signedIn } from '#domain/permissions.ts'

// The real list over generated rows: ?n=100000. Pages of 200 rows are served as text within the page, like API answers.
const rows = Number(new URLSearchParams(location.search).get('n') ?? 100_000)

const Made = z.object({ id: z.int(), cells: z.array(z.string()) })
const list = endpoint({
  method: 'GET',
  path: '/made',
  summary: 'Made rows',
  tag: 'Made',
  params: nothing,
  query: nothing,
  answer: z.object({ made: z.array(Made), lek: z.string().nullable() }),
  needs: signedIn,
})
const get = endpoint({
  method: 'GET',
  path: '/made/{id}',
  summary: 'One made row',
  tag: 'Made',
  params: byId,
  query: nothing,
  answer: Made,
  needs: signedIn,
})
const made = defineEntity<MadeRow>({
  name: 'made',
  one: 'row',
  many: 'rows',
  icon: 'users',
  ids: numbers(),
  path: '/made',
  schema: Made as z.ZodType<MadeRow>,
  get,
  list,
  query: {},
  rows: (answer: { made: MadeRow[] }) => answer.made,
  filters: [],
  pane: true,
  id: (one) => String(one.id),
  title: (one) => one.cells[0] ?? '',
  subtitle: (one) => String(one.id),
  version: () => 1,
  keywords: () => [],
  confirmWith: (one) => String(one.id),
})

globalThis.fetch = async (input) => {
  const address = new URL(String(input instanceof Request ? input.url : input), location.origin)
  if (address.pathname === '/config.json')
    return Response.json({ environment: 'local', api: '/api', application_key: '', version: '0' })
  const from = Number(address.searchParams.get('lek') ?? 0)
  const to = Math.min(rows, from + Number(address.searchParams.get('limit')))
  const page = Array.from({ length: to - from }, (_, index) => madeRow(from + index))
  return Response.json({ made: page, lek: to < rows ? String(to) : null })
}

setApplicationKey('bench')
setToken('bench')
register({ commands: [], entities: [made] })
const pane = definePane<MadeRow>({
  entity: made,
  title: 'Rows',
  columns: madeHeads.map((title, index) => ({
    id: `c${index}`,
    title,
    width: [104, 1],
    keep: 3,
    text: (one) => one.cells[index] ?? '',
  })),
  shown: madeHeads.map((_, index) => `c${index}`),
  sorts: [{ id: 'id', title: 'Id' }],
  sub: () => null,
  tabs: {},
  words: { field: (name) => name, value: (_, value) => String(value) },
})
registerPanes([pane])

await loadConfig()
navigate('/made', { replace: true })
watchMainList()
const shown = store.get(mainListAtom) as List
createRoot(document.getElementById('root') as HTMLElement).render(
  <Provider store={store}>
    <div className="pane" style={{ width: 1240, height: 760 }}>
      <Grid list={shown} label="Rows" onAction={() => false} onPick={() => {}} />
    </div>
  </Provider>,
)
