import { copied, copiedOf, type Copied } from '#kernel/copied.ts'
import { pathOf } from '#kernel/entity.ts'
import { copyText } from '#portal/app/clipboard.ts'
import { placeAtom } from '#portal/app/location.ts'
import { entityByName } from '#portal/app/registry.ts'
import { store } from '#portal/app/store.ts'
import { say } from '#portal/app/toasts.ts'
import { selectionAtom } from '#portal/commands/target.ts'

/** The address of the one row that has the cursor, where it has a page of its own and is not open; else of what is on screen. */
function linkHere(address: string): string {
  const selection = store.get(selectionAtom)
  const [id] = selection?.ids ?? []
  if (!selection || id === undefined || selection.how !== 'active' || store.get(placeAtom)?.id === id) return address
  const entity = entityByName(selection.entity)
  return entity?.pane ? new URL(pathOf(entity, id), location.origin).href : address
}

/** Copies the link, the ids, e-mails or phone numbers of what is at hand, a line each, and says what. */
export async function copyOf(what: 'link' | Copied, address: string): Promise<void> {
  const selection = store.get(selectionAtom)
  const texts = what === 'link' ? [linkHere(address)] : selection ? copiedOf(selection, what) : []
  const [first] = texts
  if (first === undefined) return
  if (!(await copyText(texts.join('\n'))))
    return say('The browser does not let this page write to the clipboard.', { tone: 'bad' })
  if (what === 'link') say('Link copied')
  else say(texts.length === 1 ? `Copied ${first}` : `${texts.length.toLocaleString('en-US')} ${copied[what]}s copied`)
}
