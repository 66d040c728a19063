import { atom } from 'jotai/vanilla'
import type { AnyEntity } from '#kernel/entity.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { offered } from '#portal/list/supported.ts'
import type { ListDefinition } from '#portal/list/definition.ts'
import { besideAtom, locationAtom, placeAtom } from '#portal/platform/location.ts'
import { registerEntity } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'

/** A noun's own list. */
export interface ListPane extends ListDefinition {
  readonly kind: 'pane'
  readonly entity: AnyEntity
}

const panesAtom = atom<readonly ListPane[]>([])

const isPane = (value: unknown): value is ListPane => (value as { kind?: unknown } | null | undefined)?.kind === 'pane'

/** Registers lists and their nouns. */
export function registerPanes(found: readonly unknown[]): void {
  const lists = found.filter(isPane)
  for (const { entity } of lists) registerEntity(entity)
  store.set(panesAtom, (now) => [...now.filter((pane) => !lists.some((each) => each.name === pane.name)), ...lists])
}

/** All registered lists. */
export const panes = (): readonly ListPane[] => store.get(panesAtom)

type Loader = () => Promise<unknown>
let loaders: Readonly<Record<string, Loader>> = {}
const loading = new Map<string, Promise<void>>()
const failedAtom = atom<readonly string[]>([])

/** The first segment of an address: `invoices` in `/invoices/40001`. */
const nameIn = (pathname = '/'): string => pathname.split('/')[1] ?? ''
const isThere = (name: string): boolean => panes().some((pane) => pane.name === name)

/** Registers the loader of each list by name. The one in the address loads at once, others on navigation. */
export function providePanes(found: Readonly<Record<string, Loader>>): void {
  loaders = found
  const follow = () => void loadPane(nameIn(store.get(locationAtom).pathname)).catch(() => {})
  store.sub(locationAtom, follow)
  follow()
}

/** Loads a list by its name, if it exists and is not loaded. Rejects on failure; the next call retries. */
export function loadPane(name: string): Promise<void> {
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined
  const now = loading.get(name)
  if (now || !load || isThere(name)) return now ?? Promise.resolve()
  store.set(failedAtom, (names) => names.filter((each) => each !== name))
  const coming = load()
    .then((pane) => registerPanes([pane]))
    .catch((error: unknown) => {
      store.set(failedAtom, (names) => [...names, name])
      throw error
    })
    .finally(() => loading.delete(name))
  loading.set(name, coming)
  return coming
}

/** Loads all lists, when idle. */
export const loadPanes = (): Promise<unknown> => Promise.all(Object.keys(loaders).map(loadPane))

/** State of the list in the address: loaded, loading, failed, or no list of that name. */
export const paneStateAtom = atom((get): 'there' | 'coming' | 'failed' | 'none' => {
  if (get(paneAtom)) return 'there'
  const name = nameIn(get(locationAtom).pathname)
  if (get(failedAtom).includes(name)) return 'failed'
  return Object.hasOwn(loaders, name) && !isThere(name) ? 'coming' : 'none'
})

const paneAt = (at: typeof placeAtom) =>
  atom<ListPane | null>((get) => {
    const place = get(at)
    const pane = get(panesAtom).find((each) => each.entity.name === place?.entity)
    return pane ? offered(pane, get(capabilitiesAtom)) : null
  })
/** The list that the address names; null if it names none, or while it is loading. */
export const paneAtom = paneAt(placeAtom)
/** The list of the record beside the open one; null without one, or while it is loading. */
export const besidePaneAtom = paneAt(besideAtom)
