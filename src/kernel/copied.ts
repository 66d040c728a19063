import type { Selection } from '#kernel/command-context.ts'

/** Values of the selected records, other than their link, that have a key to copy them. */
export const copied = { id: 'id', email: 'e-mail', phone: 'phone number' } as const
export type Copied = keyof typeof copied

interface Reached {
  email?: unknown
  phone_number?: unknown
}

/** The value of each selected record, in order; records without it, or with a masked one, are left out. */
export function copiedOf({ ids, rows }: Selection, what: Copied): string[] {
  if (what === 'id') return [...ids]
  const field = what === 'email' ? 'email' : 'phone_number'
  return ids.flatMap((id) => {
    const row = rows.get(id) as (Reached & { user?: Reached | null }) | undefined
    const value = row?.[field] ?? row?.user?.[field]
    return typeof value === 'string' && value !== '' ? [value] : []
  })
}
