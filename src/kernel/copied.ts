import type { Selection } from '#kernel/command-context.ts'

/** What of the things at hand has a key that copies it, beside their link. */
export const copied = { id: 'id', email: 'e-mail', phone: 'phone number' } as const
export type Copied = keyof typeof copied

interface Reached {
  email?: unknown
  phone_number?: unknown
}

/** What of the things at hand is copied, in their order; those that have none, or whose is masked, are left out. */
export function copiedOf({ ids, rows }: Selection, what: Copied): string[] {
  if (what === 'id') return [...ids]
  const field = what === 'email' ? 'email' : 'phone_number'
  return ids.flatMap((id) => {
    const row = rows.get(id) as (Reached & { user?: Reached | null }) | undefined
    const value = row?.[field] ?? row?.user?.[field]
    return typeof value === 'string' && value !== '' ? [value] : []
  })
}
