import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second, as Linux reports them to programs. */
const ticks = 100

/**
 * Processor milliseconds of a process and its children, ended ones included; other load on the machine changes them little. NaN
 * where the system does not report them.
 */
export function processorTime(pid: number): number {
  const own = statOf(String(pid))
  if (!own) return Number.NaN
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.parent === pid)
  return ((own.used + own.usedByEnded + children.reduce((sum, child) => sum + (child?.used ?? 0), 0)) * 1000) / ticks
}

/** The fields of proc(5), from the state on, which follows the name in parentheses. */
function statOf(pid: string): { parent: number; used: number; usedByEnded: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const field = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((at) => field[at])
    return { parent: parent ?? 0, used: user + system, usedByEnded: endedUser + endedSystem }
  } catch {
    // The process has ended in the meantime, or there is no such folder.
    return null
  }
}
