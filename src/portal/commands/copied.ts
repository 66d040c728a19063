import type { AnswerOf, AnyEndpoint, At } from '#contract/define.ts'
import { copied, copiedOf, type Copied } from '#kernel/copied.ts'
import { pathOf } from '#kernel/entity.ts'
import { detailOf } from '#kernel/api-client.ts'
import { apiClient } from '#portal/api/client.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { copyAndSay, notLoaded } from '#portal/platform/copy-and-say.ts'
import { placeAtom } from '#portal/platform/location.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { settleAddress } from '#portal/list/filters.ts'
import { store } from '#portal/platform/store.ts'
import { selectionAtom } from '#portal/list/target.ts'
import { wholeNumber } from '#domain/text.ts'

/** The address of the active row if it has a page of its own that is not open; else the current address. */
function linkHere(): string {
  settleAddress()
  const selection = store.get(selectionAtom)
  const [id] = selection?.ids ?? []
  if (!selection || id === undefined || selection.how !== 'active' || store.get(placeAtom)?.id === id) return location.href
  const entity = entityByName(selection.entity)
  return entity?.pane ? new URL(pathOf(entity, id), location.origin).href : location.href
}

/** Copies the link, ids, e-mails or phone numbers of the selection, one per line, and says what was copied. */
export async function copyOf(what: 'link' | Copied): Promise<void> {
  const selection = store.get(selectionAtom)
  const texts = what === 'link' ? [linkHere()] : selection ? copiedOf(selection, what) : []
  const [first] = texts
  if (first === undefined) return
  // UUIDs are too long to be named in the message.
  const isSpoken = what !== 'id' || entityByName(selection?.entity ?? '')?.ids.isSpoken !== false
  const many = `${wholeNumber(texts.length)} ${copied[what as Copied]}s copied`
  const all = what === 'link' ? 1 : (selection?.count ?? null)
  const loaded = selection?.ids.length ?? 1
  const missing = all !== null && all > loaded ? `Only of loaded rows; ${notLoaded(all, loaded)}.` : null
  await copyAndSay(
    texts.join('\n'),
    what === 'link' ? 'Link copied' : texts.length > 1 ? many : isSpoken ? `Copied ${first}` : 'Id copied',
    missing,
  )
}

/** Copies a text made from the answer of a call, and shows a toast; if the call fails, the toast says why. */
export async function copyAnswer<E extends AnyEndpoint>(
  endpoint: E,
  at: At,
  textOf: (answer: AnswerOf<E>) => string,
  done: string,
): Promise<void> {
  try {
    await copyAndSay(textOf(await apiClient.read(endpoint, at)), done)
  } catch (error) {
    showToast('Nothing was copied.', { tone: 'bad', detail: detailOf(error) ?? 'Try again.' })
  }
}
