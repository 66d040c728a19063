// biome-ignore lint/style/noRestrictedImports: this is the file that provides the store
import { Provider } from 'jotai'
import { createRoot } from 'react-dom/client'
import type { Command } from '#kernel/command.ts'
import { loadDetail } from '#portal/panes/detail-later.ts'
import { App } from '#portal/shell/app.tsx'
import { provideRecovery } from '#portal/state/deferred.ts'
import { provideEverything } from '#portal/state/everything.ts'
import { watchNetwork } from '#portal/state/online.ts'
import { askVersion } from '#portal/state/outdated.ts'
import { loadPane, providePanes } from '#portal/list/panes.ts'
import { register } from '#portal/state/registry.ts'
import { reloadKeeping } from '#portal/state/reload.ts'
import { startUp } from '#portal/state/start-up.ts'
import { store } from '#portal/state/store.ts'
import { watchTheme } from '#portal/state/theme.ts'
import '#portal/styles.css'

type Module = Record<string, unknown>
const found = {
  ways: import.meta.glob<Module>('../../commands/open/*.ts', { eager: true }),
  // A list is named after its noun, in the plural; the parts of a list are not.
  panes: import.meta.glob<Module>(['./panes/*s.tsx', '!./panes/chips.tsx']),
}

/** Starts what the first list needs; everything else comes right after it. */
function start(root: HTMLElement): void {
  register({ commands: Object.values(found.ways).flatMap((module) => [module['default']].flat() as Command[]) })
  provideRecovery(reloadKeeping, () => void askVersion())
  provideEverything(() => import('#portal/everything.ts'))
  providePanes(
    Object.fromEntries(
      Object.entries(found.panes).map(([path, load]) => [
        path.replace(/^.*\/|\.tsx$/g, ''),
        async () => (await load())['default'],
      ]),
    ),
  )
  watchTheme()
  watchNetwork()
  void startUp()
  // A record in the address is what is wanted first.
  const [, list = '', record] = location.pathname.split('/')
  if (record) void loadPane(list).then(loadDetail, () => {})
  createRoot(root).render(
    <Provider store={store}>
      <App />
    </Provider>,
  )
}

// None where the browser lacks something: `public/first.js` says so in its place.
const root = document.getElementById('root')
if (root) start(root)
