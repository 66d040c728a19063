import { useEffect, useState } from 'react'
import type { AnyEntity } from '#kernel/entity.ts'
import { whenIdle } from '#portal/platform/when-idle.ts'
import { indexAgain } from '#portal/records/find-locally.ts'

/** Letters, words, ids and an amount: what is most often typed first. */
export const rehearsed: readonly string[] = 'e em r pa pause g no open 1 10 100 a cl $5'.split(' ')

/** Those that are left. The browser compiles code once, so each is drawn once per page load. */
const left = [...rehearsed]

/**
 * The text to draw the closed palette with: each of the rehearsed ones for one idle period, once the known records are indexed; null
 * while the palette is open, and after the last text. Without it the first letters that a person types wait for the browser to compile
 * what they need and to make the elements of the rows. Where the browser does not say when it is idle, nothing is rehearsed: it
 * could be in the way of the first key.
 */
export function useRehearsal(live: boolean, among: readonly AnyEntity[]): string | null {
  // Undefined until the records are indexed.
  const [text, setText] = useState<string | null | undefined>(() =>
    left.length && typeof requestIdleCallback === 'function' ? undefined : null,
  )
  useEffect(() => {
    if (live || !among.length || text === null) return
    const next = () => setText(left.shift() ?? null)
    return text === undefined ? indexAgain(among, next) : whenIdle(next)
  }, [live, among, text])
  return live ? null : (text ?? null)
}
