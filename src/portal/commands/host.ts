import { capitalize } from '#domain/text.ts'
import type { Arrangement, CommandHost } from '#kernel/command-host.ts'
import { open, provideCommandHost } from '#portal/commands/command-host.ts'
import { chooseColumns, clearFilters, narrow, setFilter, setSort, showSelected, showView } from '#portal/list/change.ts'
import { settleAddress } from '#portal/list/filters.ts'
import { focusDrawer } from '#portal/keyboard/focus.ts'
import { blockKeysWhile } from '#portal/keyboard/hold.ts'
import { changeKeysOf, showKeyMap } from '#portal/keyboard/key-map.ts'
import { setLetters } from '#portal/keyboard/letters.ts'
import { exportFormatAtom } from '#portal/list/export-format.ts'
import { favouriteHereAtom } from '#portal/list/favourites.ts'
import { closeBeside, openBeside } from '#portal/list/beside.ts'
import type { List } from '#portal/list/list.ts'
import { activeListAtom, refreshLists } from '#portal/list/lists.ts'
import { targetAtom } from '#portal/list/target.ts'
import { setSearch } from '#portal/platform/location.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { leave } from '#portal/session/me.ts'
import { openFilters, openPalette } from '#portal/commands/palette-state.ts'
import { showLastRun, showRun } from '#portal/commands/run-views.ts'
import { store } from '#portal/platform/store.ts'
import { addFavourite, removeFavourite } from '#portal/commands/favourites.ts'
import { goToStep } from '#portal/commands/tour.ts'
import { setTheme } from '#portal/platform/theme.ts'
import { showToast, sayMissing } from '#portal/platform/toasts.ts'

const onActive = (does: (list: List) => void): void => {
  const list = store.get(activeListAtom)
  if (list) does(list)
}

/** Runs a function of a chunk that loads with the commands, after the first list. Later keys are queued until it has run. */
const afterwards = <P>(part: Promise<P>, does: (part: P) => unknown): void => void blockKeysWhile(part.then(does, sayMissing))

/** The command host of this window. */
export const host: CommandHost = {
  open,
  back: () => history.back(),
  address() {
    settleAddress()
    return location.href
  },
  copyOf: (what) => afterwards(import('#portal/commands/copied.ts'), ({ copyOf }) => copyOf(what)),
  copyAnswer: async (endpoint, at, textOf, done) =>
    (await import('#portal/commands/copied.ts')).copyAnswer(endpoint, at, textOf, done),
  async save(endpoint, at, query) {
    await (await import('#portal/commands/files.ts')).save(endpoint, at, query)
  },
  async exportList(format, rows) {
    store.set(exportFormatAtom, format)
    await (await import('#portal/commands/export-list.ts')).exportList(format, rows)
  },
  copyColumn: () => onActive((list) => afterwards(import('#portal/list/copy.ts'), (copy) => copy.copyColumn(list))),
  filter: setFilter,
  narrow: (set, q) => onActive((list) => narrow(list, set, q)),
  clearFilters: (only) => onActive((list) => clearFilters(list, only)),
  view: (which) => onActive((list) => showView(list, which)),
  showSelected: () => onActive(showSelected),
  sort: (sort, order) => onActive((list) => setSort(list, sort, order)),
  arrange: (how) =>
    onActive((list) => {
      const [cell] = list.drawn[store.get(list.cursorAtom).cell] ?? []
      const whole = 'by' in how && !('column' in how) ? cell && { ...how, column: cell } : how
      if (whole) afterwards(import('#portal/list/arrange.ts'), (columns) => columns.arrange(list, whole as Arrangement))
    }),
  columns: (shown) => onActive((list) => chooseColumns(list, shown)),
  refresh: () => refreshLists(),
  // Waits until the palette has closed.
  print: () => void setTimeout(() => globalThis.print(), 100),
  theme(theme) {
    setTheme(theme)
    showToast(theme === 'system' ? 'Theme follows the system' : `${theme === 'dark' ? 'Dark' : 'Light'} theme`)
  },
  show(what) {
    if (what === 'keys') showKeyMap(true)
    else if (what === 'tour') goToStep(0)
    else if (what === 'filters') openFilters()
    else if (what === 'pasted-ids') openPalette({ kind: 'pasted', text: '' })
    else openPalette({ kind: what === 'palette' ? 'root' : what })
  },
  favourite(how) {
    const id = store.get(favouriteHereAtom)?.id
    if (id) (how === 'add' ? addFavourite : removeFavourite)(id)
  },
  showRun(run) {
    if (!(run === undefined ? showLastRun() : showRun(run))) showToast('No run over several rows was started lately.')
  },
  undo: ({ entry, run } = {}) =>
    run === undefined
      ? afterwards(import('#portal/commands/undo.ts'), (undo) => (entry === undefined ? undo.undoLast() : undo.undoEntry(entry)))
      : afterwards(import('#portal/commands/runs.ts'), (runs) => runs.undoTheRun(run)),
  repeat: () => afterwards(import('#portal/commands/repeat.ts'), ({ repeatLast }) => repeatLast()),
  stopRun: (run) => afterwards(import('#portal/commands/runs.ts'), (runs) => runs.stopTheRun(run)),
  retryRun: (run) => afterwards(import('#portal/commands/runs.ts'), (runs) => void runs.retryTheRun(run)),
  letterKeys(on) {
    setLetters(on)
    showToast(on ? 'Single-key shortcuts are on' : 'Single-key shortcuts are off')
  },
  changeKeys: (command) => (command === undefined ? open('/shortcuts') : changeKeysOf(command)),
  notes({ entity, id, title }) {
    settleAddress()
    setSearch({ entity_type: entity, entity_id: id, title })
    focusDrawer()
  },
  beside(does) {
    const target = store.get(targetAtom)
    const [id] = target?.ids ?? []
    if (does === 'close') closeBeside()
    else if (target && id !== undefined) {
      const entity = entityByName(target.entity)
      if (entity.pane) openBeside(entity, id)
      else showToast(`${capitalize(entity.many)} have no page of their own.`)
    }
  },
  signOut: leave,
}

provideCommandHost(host)
