// biome-ignore lint/style/noRestrictedImports: this is the file that provides the store
import { Provider } from 'jotai'
import { createRoot } from 'react-dom/client'
import type { Command } from '#kernel/command.ts'
import { loadDetail } from '#portal/record/later.ts'
import { App } from '#portal/shell/app.tsx'
import { LastResort } from '#portal/shell/last-resort.tsx'
import { isLanding, landing } from '#portal/shell/landing.tsx'
import { provide } from '#portal/main/provide.ts'
import { provideRecovery } from '#portal/platform/deferred.ts'
import { provideEverything } from '#portal/platform/bundle.ts'
import { watchNetwork } from '#portal/api/online.ts'
import { askVersion } from '#portal/session/outdated.ts'
import { loadPane, providePanes } from '#portal/list/panes.ts'
import { register } from '#portal/platform/registry.ts'
import { showTimesIn } from '#portal/format/dates.ts'
import { meAtom } from '#portal/api/session.ts'
import { reloadKeeping } from '#portal/shell/reload.ts'
import { startUp } from '#portal/session/start-up.ts'
import { store } from '#portal/platform/store.ts'
import { watchTheme } from '#portal/platform/theme.ts'
import '#portal/platform/styles.css'

type Module = Record<string, unknown>
const found = {
  ways: import.meta.glob<Module>('../../../commands/open/*.ts', { eager: true }),
  // A noun's folder is named like its list in the address.
  lists: import.meta.glob<Module>('../nouns/*/list.tsx'),
}

/** Starts what the first list needs; everything else loads right after it. */
function start(root: HTMLElement): void {
  register({ commands: Object.values(found.ways).flatMap((module) => [module['default']].flat() as Command[]) })
  provide()
  provideRecovery(reloadKeeping, () => void askVersion())
  provideEverything(() => import('#portal/main/everything.ts'))
  providePanes(
    Object.fromEntries(
      Object.entries(found.lists).map(([path, load]) => [path.split('/').at(-2) ?? '', async () => (await load())['default']]),
    ),
  )
  store.sub(meAtom, () => showTimesIn(store.get(meAtom)?.time_zone))
  watchTheme()
  watchNetwork()
  void startUp()
  // A record in the address is prefetched first.
  const [, list = '', record] = location.pathname.split('/')
  if (record) void loadPane(list).then(loadDetail, () => {})
  else if (!list || isLanding(location.pathname)) void landing.fetch().catch(() => {})
  createRoot(root).render(
    <Provider store={store}>
      <LastResort about="">
        <App />
      </LastResort>
    </Provider>,
  )
}

// There is no root if the browser is unsupported: `public/first.js` shows a message instead.
const root = document.getElementById('root')
if (root) start(root)
