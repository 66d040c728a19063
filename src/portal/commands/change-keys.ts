import { z } from 'zod'
import type { Command } from '#kernel/command.ts'
import { clash, parseChord } from '#kernel/keys.ts'
import { keysWith, type OwnKeys, togglesWith, withOwnKeys } from '#kernel/own-keys.ts'
import { setOwnKeys } from '#portal/commands/own-keys.ts'
import { actionKeys, detailKeys, gridKeys, paletteKey, partKeys } from '#portal/keyboard/fixed-keys.ts'
import { areClashing, bindingsOf, whyNeverBound } from '#portal/keyboard/key-clash.ts'
import { fixedKeys } from '#portal/keyboard/key-words.ts'
import { declaredCommands } from '#portal/platform/registry.ts'

/** Maximum number of presses in one shortcut. */
export const maxPresses = 3

const withOwn = (own: OwnKeys): Command[] => declaredCommands().map((command) => withOwnKeys(command, own))
const find = (all: readonly Command[], id: string): Command | undefined => all.find((command) => command.id === id)

/** What a fixed key does, `select`; null if no fixed key of these parts has the chord. */
function fixedUse(chord: string, regions: readonly ('grid' | 'detail')[]): string | null {
  const taken = [paletteKey, ...Object.keys(partKeys), ...actionKeys]
  if (regions.includes('grid')) taken.push(...Object.keys(gridKeys))
  if (regions.includes('detail')) taken.push(...Object.keys(detailKeys))
  const one = taken.find((each) => clash(each, chord))
  if (!one) return null
  const digits = /^\d$/.test(one)
  const line = fixedKeys
    .flatMap(({ lines }) => lines)
    .find(({ chords }) => chords.some((each) => each === one || (digits && each === '1–9')))
  return line?.says ?? 'a key of the portal'
}

/** Whether a shortcut can be given to a command: at once, in exchange with others, or not. */
export type KeyCheck =
  | { kind: 'free' }
  /** `isFinal` if no further key could make it possible. */
  | { kind: 'refused'; sentence: string; isFinal?: true }
  /** `swap` if the other command can have the shortcut that this one has now. */
  | { kind: 'taken'; by: Command; swap: string | null }

/** The ids of a command and those that toggle with it: they change together. */
function groupOf(id: string): readonly string[] {
  const command = find(declaredCommands(), id)
  return command ? togglesWith(command, declaredCommands()).map((each) => each.id) : []
}

/** Why a command may not have a chord whatever other commands have, as a sentence; else the other commands that have it. */
function othersWith(id: string, chord: string, own: OwnKeys): string | readonly Command[] {
  const all = withOwn(own)
  const command = find(all, id)
  const [key] = command ? keysWith(command, chord) : []
  if (!command || !key) return 'There is no such command.'
  const never = whyNeverBound(chord, key.scope)
  if (never) return never
  if (parseChord(chord).length > maxPresses) return `At most ${maxPresses} keys, one after the other.`
  const regions = key.scope === 'grid' || key.scope === 'detail' ? [key.scope] : (['grid', 'detail'] as const)
  const use = fixedUse(chord, regions)
  if (use) return `This key always means: ${use}.`
  const group = groupOf(id)
  const [mine] = bindingsOf([{ ...command, keys: [key] }])
  const ids = bindingsOf(all).flatMap((each) => (mine && !group.includes(each.id) && areClashing(mine, each) ? [each.id] : []))
  return all.filter((each) => ids.includes(each.id))
}

/** Why a command may not have the shortcut that it would have with these own keys; null if it may. */
function whyNot(id: string, chord: string, own: OwnKeys): string | null {
  const others = othersWith(id, chord, own)
  return typeof others === 'string' ? others : others[0] ? `${others[0].title} has it.` : null
}

/** Checks a new shortcut of a command against the keys that are never bound, the fixed keys, and those of other commands. */
export function checkKeys(id: string, chord: string, own: OwnKeys): KeyCheck {
  const others = othersWith(id, chord, own)
  if (typeof others === 'string') return { kind: 'refused', sentence: others, isFinal: true }
  const [by] = others
  if (!by) return { kind: 'free' }
  const partners = groupOf(by.id)
  if (others.some((each) => !partners.includes(each.id)))
    return { kind: 'refused', sentence: `${others.length} commands have it, such as ${by.title}. Change these first.` }
  const before = find(withOwn(own), id)?.keys?.[0]?.chord ?? null
  if (before === null) return { kind: 'taken', by, swap: null }
  const swapped = { ...own, ...assigned(id, chord), ...assigned(by.id, before) }
  return { kind: 'taken', by, swap: whyNot(by.id, before, swapped) === null ? before : null }
}

/** The own keys that give a command, and those that toggle with it, a shortcut. */
const assigned = (id: string, chord: string | null): OwnKeys => Object.fromEntries(groupOf(id).map((each) => [each, chord]))

/** Own keys without those that equal what the command declares. */
function trimmed(own: OwnKeys): OwnKeys {
  const declared = new Map(declaredCommands().map(({ id, keys }) => [id, keys?.[0]?.chord ?? null]))
  return Object.fromEntries(Object.entries(own).filter(([id, chord]) => declared.get(id) !== chord))
}

/** Gives a command a shortcut, null for none; the one that has it gets `swap` in exchange. Returns false if it is not stored. */
export function assignKeys(
  id: string,
  chord: string | null,
  own: OwnKeys,
  exchange?: { with: string; swap: string | null },
): boolean {
  const others = exchange ? assigned(exchange.with, exchange.swap) : {}
  return setOwnKeys(trimmed({ ...own, ...others, ...assigned(id, chord) }))
}

/** What keeps a command from getting its declared shortcut back: the command that has it now; null if nothing does. */
export function resetKeys(id: string, own: OwnKeys): { by: Command } | null {
  const group = groupOf(id)
  const rest = Object.fromEntries(Object.entries(own).filter(([each]) => !group.includes(each)))
  const chord = find(declaredCommands(), id)?.keys?.[0]?.chord
  const others = chord === undefined ? [] : othersWith(id, chord, rest)
  // The rows of several nouns may have it: each of them is in the way.
  if (typeof others !== 'string' && others[0]) return { by: others[0] }
  setOwnKeys(rest)
  return null
}

/** The file of own shortcuts. */
const KeysFile = z.object({
  kind: z.literal('admin-portal-shortcuts'),
  version: z.literal(1),
  shortcuts: z.record(z.string(), z.string().max(60).nullable()),
})

export const keysFileName = 'admin-portal-shortcuts.json'

/** The text of the file with all changed shortcuts. */
export const keysFile = (own: OwnKeys): string =>
  `${JSON.stringify({ kind: 'admin-portal-shortcuts', version: 1, shortcuts: own } satisfies z.infer<typeof KeysFile>, null, 2)}\n`

/** A chord as the portal writes it: known modifiers and key names. */
const isChord = (chord: string): boolean =>
  chord.split(' ').every((part) => /^(?:Mod\+)?(?:Shift\+)?(?:[!-~]|[A-Z][A-Za-z]+\d*)$/.test(part)) && chord !== ''

/** What a file of shortcuts would change, and the lines that are refused, each with its reason. */
export interface ReadKeys {
  own: OwnKeys
  refused: readonly string[]
}

/** Reads a file of shortcuts; a sentence if it is none. They replace the present ones as a whole, so that two may be exchanged. */
export function readKeysFile(text: string): ReadKeys | string {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'This file is not JSON: export shortcuts to see how such a file looks.'
  }
  const read = KeysFile.safeParse(json)
  if (!read.success) {
    const lines = read.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`)
    return `This is no file of shortcuts. ${lines.slice(0, 3).join('; ')}`
  }
  const refused: string[] = []
  const known = new Map(declaredCommands().map((command) => [command.id, command]))
  const entries = Object.entries(read.data.shortcuts).filter(([id, chord]) => {
    const line = `${id}: ${chord ?? 'none'}`
    if (!known.has(id)) refused.push(`${line} (there is no such command)`)
    else if (chord !== null && !isChord(chord)) refused.push(`${line} (these are no keys)`)
    else return true
    return false
  })
  let own: OwnKeys = Object.fromEntries(entries)
  for (const [id, chord] of entries) {
    const why = chord === null ? null : whyNot(id, chord, own)
    if (!why) continue
    refused.push(`${id}: ${chord} (${why.replace(/\.$/, '')})`)
    own = Object.fromEntries(Object.entries(own).filter(([each]) => each !== id))
  }
  return { own: trimmed(own), refused }
}
