import { type AnyEntity, pathOf } from '#kernel/entity.ts'
import { focusBeside, focusRecord, focusWork } from '#portal/keyboard/focus.ts'
import { settleAddress } from '#portal/list/filters.ts'
import { besideParams, besidePrefix, navigate, placeAtom, setSearch } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'

const noParams = (): Record<string, null> => Object.fromEntries(Object.keys(besideParams()).map((name) => [name, null]))

/**
 * Opens a record beside what is open, in place of the one that is there. Where there is no list to open it beside, or it is the
 * open record itself, it is opened as usual.
 */
export function openBeside(entity: AnyEntity, id: string): void {
  settleAddress()
  const place = store.get(placeAtom)
  const isOpen = place?.entity === entity.name && place.id === id
  if (place && !isOpen) {
    setSearch({ ...noParams(), beside: entity.name, [`${besidePrefix}id`]: id })
    focusBeside()
    return
  }
  if (!isOpen) navigate(pathOf(entity, id))
  focusRecord()
}

/** Closes the record beside the open one, which gets the focus, else the list. */
export function closeBeside(): void {
  settleAddress()
  setSearch(noParams())
  if (store.get(placeAtom)?.id) focusRecord()
  else focusWork()
}
