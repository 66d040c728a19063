// biome-ignore lint/style/noRestrictedImports: this is the file that provides the store
import { Provider } from 'jotai'
import { createRoot } from 'react-dom/client'
import { collect } from '#contract/define.ts'
import type { Command } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { loadDetail } from '#portal/panes/detail-later.ts'
import { App } from '#portal/shell/app.tsx'
import { placeAtom } from '#portal/state/location.ts'
import { watchNetwork } from '#portal/state/online.ts'
import { registerPanes } from '#portal/state/panes.ts'
import { register } from '#portal/state/registry.ts'
import { startUp } from '#portal/state/start-up.ts'
import { store } from '#portal/state/store.ts'
import { watchTheme } from '#portal/state/theme.ts'
import '#portal/styles.css'

type Module = Record<string, unknown>
const found = {
  commands: import.meta.glob<Module>('../../commands/**/*.ts', { eager: true }),
  entities: import.meta.glob<Module>('../entities/*.ts', { eager: true }),
  panes: import.meta.glob<Module>('./panes/*.tsx', { eager: true }),
  contract: import.meta.glob<Module>('../contract/*.ts', { eager: true }),
}

const kindOf = (value: unknown): unknown => (value as { kind?: unknown } | null | undefined)?.kind

register({
  commands: Object.values(found.commands).flatMap((module) => [module['default']].flat() as Command[]),
  entities: Object.values(found.entities).flatMap((module) =>
    Object.values(module).filter((value): value is AnyEntity => kindOf(value) === 'entity'),
  ),
  ...collect(Object.values(found.contract)),
})
registerPanes(Object.values(found.panes).map((module) => module['default']))

watchTheme()
watchNetwork()
void startUp()
// A record in the address is what is wanted first.
if (store.get(placeAtom)?.id) void loadDetail().catch(() => {})

createRoot(document.getElementById('root') as HTMLElement).render(
  <Provider store={store}>
    <App />
  </Provider>,
)
