/** Permission ids with their short names; ids from 1001 are extensions (docs/rules/access.md). */
export const permissionNames = {
  1: 'read:billing',
  2: 'read:employees',
  3: 'read:employers',
  4: 'read:organizations',
  5: 'read:reports',
  6: 'read:timekeeping',
  7: 'read:transactions',
  8: 'read:wages',
  9: 'write:employees',
  10: 'write:timekeeping',
  15: 'read:work-period-balances',
  16: 'write:work-period-balances',
  17: 'read:off-cycle-payments',
  18: 'write:off-cycle-payments',
  98: 'read:compensations',
  1001: 'write:billing',
  1002: 'write:employers',
  1003: 'write:organizations',
  1004: 'write:transactions',
  1005: 'write:wages',
  1006: 'write:compensations',
  1007: 'write:reports',
  1008: 'approve:write-offs',
  1009: 'write-password-change:payroll',
  1010: 'write-password-change:consumer',
  1011: 'write-unlink:payroll',
  1012: 'write-unlink:consumer',
  1013: 'write:unpause',
  1014: 'write:additional-transaction',
  1015: 'write:soft-delete',
  1016: 'write:paygroups',
  1017: 'read:admins',
  1018: 'write:admins',
  1019: 'write:account-managers',
  1020: 'write:integrations',
  1021: 'write:users',
  1022: 'override:return-window',
  1023: 'read:personal-details',
  1024: 'share:views',
} as const

export type PermissionId = keyof typeof permissionNames
export type PermissionName = (typeof permissionNames)[PermissionId]

/** All permission ids, ascending. */
export const permissionIds = Object.keys(permissionNames).map(Number) as PermissionId[]

const idByName = new Map(permissionIds.map((id) => [permissionNames[id], id]))

/** The id of a short name. */
export const permissionId = (name: PermissionName): PermissionId => idByName.get(name) as PermissionId

/** Whether a text is the short name of a permission. */
export const isPermissionName = (text: string): text is PermissionName => (idByName as ReadonlyMap<string, unknown>).has(text)

/** Descriptions of permissions whose name is not plain words. */
const plainly: Partial<Record<PermissionName, string>> = {
  'write-password-change:payroll': 'reset passwords of payroll users',
  'write-password-change:consumer': 'reset passwords of consumer users',
  'write-unlink:payroll': 'unlink payroll users',
  'write-unlink:consumer': 'unlink consumer users',
  'write:unpause': 'resume employees',
  'write:additional-transaction': 'allow additional transactions',
  'write:soft-delete': 'delete users',
  'override:return-window': 'override the return window',
  'write:paygroups': 'change pay groups',
}
const verbs: Readonly<Record<string, string>> = { read: 'see', write: 'change' }

/** Permissions in words: 'the right to see billing and change employees', 'the right to see wages and billing'. */
export function rightTo(names: readonly PermissionName[], last: 'and' | 'or' = 'and'): string {
  const words = names.map((name) => {
    const [verb = '', what = ''] = name.split(':')
    // 'work-period-balances', but 'write-offs' and 'off-cycle payments'.
    return plainly[name] ?? `${verbs[verb] ?? verb} ${what.replace(/(?<!\b(?:write|off))-/g, ' ')}`
  })
  const verb = (at: number) => words[at]?.split(' ')[0]
  // A repeated verb is left out.
  const said = words.map((each, at) => (verb(at) === verb(at - 1) ? each.replace(/\S+ /, '') : each))
  return `the right to ${said.join(` ${last} `)}`
}

/** The permissions of a call, as data: evaluated by the palette, shown in the key map, and enforced by the server. */
export type Need<Target = never> =
  | { kind: 'public' }
  | { kind: 'by-intent' }
  | { kind: 'signed-in' }
  | { kind: 'all'; names: readonly PermissionName[] }
  | { kind: 'any'; names: readonly PermissionName[] }
  | { kind: 'by-target'; need(target: Target): Need<Target>; names: readonly PermissionName[] }
  | { kind: 'as-entity' }
  | { kind: 'own-or'; names: readonly PermissionName[]; need: Need }

/** Only needs the application key. */
export const anybody: Need = { kind: 'public' }
/** Needs any signed-in person. */
export const signedIn: Need = { kind: 'signed-in' }
/** For a call with several intents: each intent has its own need, and nobody may make the call without one. */
export const byIntent: Need = { kind: 'by-intent' }

/** At least one name: an empty need would be satisfied by everybody, or by nobody. */
type Names = readonly [PermissionName, ...PermissionName[]]

/** Needs all of these permissions. */
export const all = (...names: Names): Need => ({ kind: 'all', names })
/** Needs at least one of these permissions. */
export const any = (...names: Names): Need => ({ kind: 'any', names })
/** A need that depends on the target (payroll or consumer flow, level); `names` are all permissions it may return. */
export const byTarget = <Target>(names: Names, need: (target: Target) => Need<Target>): Need<Target> => ({
  kind: 'by-target',
  names,
  need,
})

/** Permission to read the entity that the target belongs to, which the target names in `entity` (notes, docs/rules/access.md). */
export const asEntity = (): Need => ({ kind: 'as-entity' })

/** Own records, by `own` of the target, are open to any signed-in person; those of others have this need. */
export const ownOr = (need: Need): Need => ({ kind: 'own-or', names: 'names' in need ? need.names : [], need })

/** The need for reading each entity, for `asEntity`. */
const readers: Readonly<Record<string, Need>> = {
  employee: all('read:employees'),
  user: all('read:employees'),
  employer: all('read:employers'),
  organization: all('read:organizations'),
  invoice: all('read:billing'),
  repayment: all('read:billing'),
  'write-off': all('read:billing'),
  deduction: all('read:billing'),
  transaction: all('read:transactions'),
  // For a note, checked once its record is known.
  note: any('read:employees', 'read:employers', 'read:organizations', 'read:billing'),
}

/** The need behind `as-entity` for a target; null without a target, or for an entity that nobody may read this way. */
export const readerOf = (target: unknown): Need | null =>
  readers[(target as { entity?: string } | undefined)?.entity ?? ''] ?? null

export type Verdict = 'yes' | 'no' | 'depends'

/** Whether somebody with these permissions may; `depends` while a need by target has no target yet. */
export function may<Target>(held: ReadonlySet<number>, need: Need<Target>, target?: Target): Verdict {
  const holds = (name: PermissionName) => held.has(permissionId(name))
  switch (need.kind) {
    case 'public':
    case 'signed-in':
      return 'yes'
    case 'by-intent':
      return 'no'
    case 'all':
      return need.names.every(holds) ? 'yes' : 'no'
    case 'any':
      return need.names.some(holds) ? 'yes' : 'no'
    case 'by-target':
      if (target !== undefined) return may(held, need.need(target), target)
      return need.names.some(holds) ? (need.names.every(holds) ? 'yes' : 'depends') : 'no'
    case 'as-entity': {
      if (target === undefined) return Object.values(readers).some((reader) => may(held, reader) === 'yes') ? 'depends' : 'no'
      const reader = readerOf(target)
      return reader ? may(held, reader) : 'no'
    }
    case 'own-or': {
      if ((target as { own?: boolean } | undefined)?.own) return 'yes'
      const others = may(held, need.need)
      return others === 'no' && target === undefined ? 'depends' : others
    }
  }
}

/** The need resolved for a target; null if it cannot be resolved. */
function settled<Target>(need: Need<Target>, target?: Target): Need<Target> | Need | null {
  if (need.kind === 'by-target' && target !== undefined) return settled(need.need(target), target)
  if (need.kind === 'own-or') return need.need
  return need.kind === 'as-entity' ? readerOf(target) : need
}

/** The permissions of a need that are missing, for the message of the refusal. */
export function lacking<Target>(held: ReadonlySet<number>, need: Need<Target>, target?: Target): PermissionName[] {
  const asked = settled(need, target)
  return asked && 'names' in asked ? asked.names.filter((name) => !held.has(permissionId(name))) : []
}

/** Conjunction of missing permissions: 'or' if one is enough; before the target is known, any may be enough. */
export function joined<Target>(need: Need<Target>, target?: Target): 'and' | 'or' {
  const kind = settled(need, target)?.kind
  return kind === 'any' || kind === 'by-target' ? 'or' : 'and'
}

/** The missing right for a need, in words; null if nothing is missing, or if it depends on the target. */
export const rightLacked = <Target>(held: ReadonlySet<number>, need: Need<Target>, target?: Target): string | null =>
  may(held, need, target) === 'no' ? rightTo(lacking(held, need, target), joined(need, target)) : null

/** The message for any refused action (PERM-037). */
export const noPermission = "You don't have permission to take this action."
