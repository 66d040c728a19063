import { atom } from 'jotai/vanilla'
import type { AnyEntity } from '#kernel/entity.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { offered } from '#portal/list/supported.ts'
import type { ListDefinition } from '#portal/list/definition.ts'
import { locationAtom, placeAtom } from '#portal/platform/location.ts'
import { registerEntity } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'

/** A noun's own list. */
export interface ListPane extends ListDefinition {
  readonly kind: 'pane'
  readonly entity: AnyEntity
}

const panesAtom = atom<readonly ListPane[]>([])

const isPane = (value: unknown): value is ListPane => (value as { kind?: unknown } | null | undefined)?.kind === 'pane'

/** Adds lists, with their nouns. */
export function registerPanes(found: readonly unknown[]): void {
  const lists = found.filter(isPane)
  for (const { entity } of lists) registerEntity(entity)
  store.set(panesAtom, (now) => [...now.filter((pane) => !lists.some((each) => each.name === pane.name)), ...lists])
}

/** All lists that are there. */
export const panes = (): readonly ListPane[] => store.get(panesAtom)

type Loader = () => Promise<unknown>
let loaders: Readonly<Record<string, Loader>> = {}
const loading = new Map<string, Promise<void>>()
const failedAtom = atom<readonly string[]>([])

/** The list that an address begins with: `invoices` of `/invoices/40001`. */
const nameIn = (pathname = '/'): string => pathname.split('/')[1] ?? ''
const isThere = (name: string): boolean => panes().some((pane) => pane.name === name)

/** Says how each list is fetched, by its name. The one in the address is fetched at once, others when they are gone to. */
export function providePanes(found: Readonly<Record<string, Loader>>): void {
  loaders = found
  const follow = () => void loadPane(nameIn(store.get(locationAtom).pathname)).catch(() => {})
  store.sub(locationAtom, follow)
  follow()
}

/** Fetches a list by its name, if it is one and is not there. Rejects when it does not come; it can be asked for again. */
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

/** Fetches every list, for when there is time. */
export const loadPanes = (): Promise<unknown> => Promise.all(Object.keys(loaders).map(loadPane))

/** How the list in the address stands: there, on its way, not to be had, or there is none of that name. */
export const paneStateAtom = atom((get): 'there' | 'coming' | 'failed' | 'none' => {
  if (get(paneAtom)) return 'there'
  const name = nameIn(get(locationAtom).pathname)
  if (get(failedAtom).includes(name)) return 'failed'
  return Object.hasOwn(loaders, name) && !isThere(name) ? 'coming' : 'none'
})

/** The list that the address names; null where it names none, or while it is on its way. */
export const paneAtom = atom<ListPane | null>((get) => {
  const place = get(placeAtom)
  const pane = get(panesAtom).find((each) => each.entity.name === place?.entity)
  return pane ? offered(pane, get(capabilitiesAtom)) : null
})
