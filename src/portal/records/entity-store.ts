import { atom, type PrimitiveAtom } from 'jotai/vanilla'
import { rowKindByName } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'

/**
 * Normalized store: every record on screen or selected is here once, by entity and id, and is updated by the outcomes of
 * commands.
 */
const entityStore = new Map<string, Map<string, PrimitiveAtom<unknown>>>()

function atomsOf(entity: string): Map<string, PrimitiveAtom<unknown>> {
  const atoms = entityStore.get(entity) ?? new Map<string, PrimitiveAtom<unknown>>()
  entityStore.set(entity, atoms)
  return atoms
}

/** The atom of a record; its value is undefined until loaded. */
export function recordAtom(entity: string, id: string): PrimitiveAtom<unknown> {
  const atoms = atomsOf(entity)
  const known = atoms.get(id)
  if (known) return known
  const made = atom<unknown>(undefined)
  atoms.set(id, made)
  return made
}

/** A record from the store. */
export const record = (entity: string, id: string): unknown => {
  const found = entityStore.get(entity)?.get(id)
  return found ? store.get(found) : undefined
}

/** Deep equality of two records from the API. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSame((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]))
  )
}

/** Puts records from the API into the store; an unchanged one keeps its identity, so that no row renders again. */
export function upsertRecords(entity: string, rows: readonly unknown[]): string[] {
  const { id } = rowKindByName(entity)
  const atoms = atomsOf(entity)
  return rows.map((row) => {
    const key = id(row)
    const found = atoms.get(key)
    if (found) store.set(found, (before: unknown) => (isSame(before, row) ? before : row))
    else atoms.set(key, atom<unknown>(row))
    return key
  })
}

/** Removes records, except those still wanted. */
export function dropRecords(entity: string, ids: Iterable<string>, wanted: (id: string) => boolean): void {
  const atoms = atomsOf(entity)
  for (const id of ids) if (!wanted(id)) atoms.delete(id)
}

/** All known records of a noun, for local search. */
export function* knownRecords(entity: string): Generator<unknown> {
  for (const found of entityStore.get(entity)?.values() ?? []) {
    const one = store.get(found)
    if (one !== undefined) yield one
  }
}
