import { isModifier, maxSequenceGap } from '#kernel/keys.ts'

/**
 * Swallows keys still being typed when the session ended, until a pause: they belong to a field that is gone, and would land in
 * the sign-in. Browser shortcuts pass. Returns the function that stops it.
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
