import { atom } from 'jotai/vanilla'
import type { CallHead } from '#contract/define.ts'
import { config } from '#portal/api/config.ts'
import { store } from '#portal/app/store.ts'

interface Described {
  paths?: Record<string, Record<string, { parameters?: readonly { name?: string }[] }>>
}

/** Calls that the API behind the portal describes, as `GET /employees`, and what each takes; null when it has no OpenAPI document. */
const describedAtom = atom<ReadonlyMap<string, readonly string[]> | null>(null)

/** Whether the API offers a call: its document says so; without a document, the specification's own calls are there. */
export const offersAtom = atom((get) => {
  const described = get(describedAtom)
  return (call: CallHead): boolean => (described ? described.has(`${call.method} ${call.path}`) : !call.extension)
})

/** Whether the API takes a parameter of a call: its document says so; without a document, only `q` is ours. */
export const takesAtom = atom((get) => {
  const described = get(describedAtom)
  return (call: CallHead, parameter: string): boolean =>
    described ? (described.get(`${call.method} ${call.path}`)?.includes(parameter) ?? false) : parameter !== 'q'
})

/** Reads the OpenAPI document beside the base address. */
export async function loadOffers(): Promise<void> {
  try {
    const response = await fetch(new URL(`${config().api.replace(/\/$/, '')}/openapi.json`, location.origin))
    if (!response.ok) return
    const document = (await response.json()) as Described
    const calls = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      Object.entries(item).map(
        ([method, { parameters = [] }]) =>
          [`${method.toUpperCase()} ${path}`, parameters.flatMap(({ name }) => name ?? [])] as const,
      ),
    )
    store.set(describedAtom, new Map(calls))
  } catch {
    // No document: only the specification's own calls are offered.
  }
}
