import { isModifier, maxSequenceGap } from '#kernel/keys.ts'

/**
 * Swallows the keys that run on from what was typed when the session ended, until a pause: they were meant for a field that is
 * gone, and would land in the sign-in. Keys of the browser pass by. Returns what stops it.
 */
export function swallowRunOn(): () => void {
  let last = performance.now()
  const control = new AbortController()
  const swallow = (event: KeyboardEvent) => {
    if (performance.now() - last > maxSequenceGap) return control.abort()
    if (isModifier(event)) return
    last = performance.now()
    const { key, ctrlKey, metaKey } = event
    if (/^F\d+$/.test(key) || ((ctrlKey || metaKey) && key.length === 1)) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', swallow, { capture: true, signal: control.signal })
  return () => control.abort()
}
