import type { Command, Key } from '#kernel/command.ts'
import { isPlain } from '#kernel/keys.ts'

/** The shortcuts that a person changed, by command id; null for a command that has none any more. */
export type OwnKeys = Readonly<Record<string, string | null>>

type Keyed = Pick<Command, 'keys' | 'on'>

/** Where a shortcut works that the command does not declare: letters only in a list or a record. */
const scopeOf = ({ on }: Keyed, chord: string): Key['scope'] => (on ? 'row' : isPlain(chord) ? 'workspace' : 'everywhere')

/** The keys of a command with another chord: its first one changes and keeps where it works. */
export function keysWith(command: Keyed, chord: string | null): readonly Key[] {
  const [first, ...others] = command.keys ?? []
  if (chord === null) return others
  return [{ ...(first ?? { scope: scopeOf(command, chord) }), chord }, ...others]
}

/** A command with the shortcut that the person chose; the command itself if it was not changed. */
export function withOwnKeys<C extends Pick<Command, 'id' | 'keys' | 'on'>>(command: C, own: OwnKeys): C {
  const chord = own[command.id]
  return chord === undefined ? command : { ...command, keys: keysWith(command, chord) }
}

/** Commands that share a shortcut because only one of them is available at a time; changing one changes all. */
export function togglesWith<C extends Pick<Command, 'id' | 'keys' | 'on'>>(command: C, all: readonly C[]): readonly C[] {
  const [key] = command.keys ?? []
  if (!key?.toggles) return [command]
  return all.filter(({ id, on, keys }) => {
    const [other] = keys ?? []
    if (id === command.id || !other) return id === command.id
    return other.toggles === key.toggles && other.tab === key.tab && other.chord === key.chord && on?.name === command.on?.name
  })
}
