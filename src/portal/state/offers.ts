import { atom } from 'jotai/vanilla'
import type { CallHead } from '#contract/define.ts'
import { config } from '#portal/state/config.ts'
import { store } from '#portal/state/store.ts'

/** Calls that the API behind the portal describes, as `GET /employees`; null when it has no OpenAPI document. */
const describedAtom = atom<ReadonlySet<string> | null>(null)

/** Whether the API offers a call: its document says so; without a document, the specification's own calls are there. */
export const offersAtom = atom((get) => {
  const described = get(describedAtom)
  return (call: CallHead): boolean => (described ? described.has(`${call.method} ${call.path}`) : !call.extension)
})

/** Reads the OpenAPI document beside the base address. */
export async function loadOffers(): Promise<void> {
  try {
    const response = await fetch(new URL(`${config().api.replace(/\/$/, '')}/openapi.json`, location.origin))
    if (!response.ok) return
    const document = (await response.json()) as { paths?: Record<string, Record<string, unknown>> }
    const calls = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    store.set(describedAtom, new Set(calls))
  } catch {
    // No document: only the specification's own calls are offered.
  }
}
