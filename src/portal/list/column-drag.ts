import { startCommand } from '#portal/platform/commands.ts'
import { widthsWith, within } from '#portal/list/arrange.ts'
import type { List } from '#portal/list/list.ts'
import { store } from '#portal/platform/store.ts'

/** Pixels after which a press on a header is a drag; below, it is a click, which sorts. */
const dragAfter = 6

/** Calls `move` until the button is released, then `end` with whether to apply it: Escape cancels. */
function follow(move: (x: number) => void, end: (stands: boolean) => void): void {
  // The button may have been released before this chunk was loaded.
  const moved = ({ clientX, buttons }: PointerEvent) => (buttons ? move(clientX) : stop(false))
  const stop = (stands: boolean) => {
    removeEventListener('pointermove', moved)
    removeEventListener('pointerup', up)
    removeEventListener('pointercancel', cancel)
    removeEventListener('keydown', onKey, true)
    end(stands)
  }
  const up = () => stop(true)
  const cancel = () => stop(false)
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    stop(false)
  }
  addEventListener('pointermove', moved)
  addEventListener('pointerup', up)
  addEventListener('pointercancel', cancel)
  addEventListener('keydown', onKey, true)
}

/** Suppresses the click at the end of a drag, which would sort. */
function swallowClick(): void {
  const stop = (event: Event) => event.stopPropagation()
  addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', stop, true))
}

/** Drags the edge of a column: its width follows the pointer, and is stored on release. */
export function dragEdge(list: List, column: string, from: number): void {
  const { drawn } = list
  const began = drawn.find(([id]) => id === column)?.[1]
  if (began === undefined) return
  let width = began
  let frame = 0
  const draw = () => {
    frame = 0
    store.set(list.draggedAtom, widthsWith(store.get(list.widthsAtom), drawn, column, width))
  }
  follow(
    (x) => {
      width = began + x - from
      frame ||= requestAnimationFrame(draw)
    },
    (stands) => {
      cancelAnimationFrame(frame)
      if (!stands || width === began) {
        store.set(list.draggedAtom, null)
        return
      }
      swallowClick()
      // Keeps the dragged width on screen until it is stored.
      startCommand('list.columns.size', { params: { column, width: within(width) }, complete: true })
    },
  )
}

/** Drags a column header: a line shows the column before which it would be dropped. */
export function dragHead(column: string, head: HTMLElement, from: number): void {
  const heads = [...head.querySelectorAll<HTMLElement>('[data-column]')]
  const nameOf = (each: HTMLElement | undefined): string | null => each?.dataset['column'] ?? null
  let before: string | null | undefined
  const show = (at: HTMLElement | undefined, end: boolean) => {
    for (const each of heads) delete each.dataset['drop']
    const last = heads.at(-1)
    if (at) at.dataset['drop'] = 'before'
    else if (end && last) last.dataset['drop'] = 'after'
  }
  follow(
    (x) => {
      if (before === undefined && Math.abs(x - from) < dragAfter) return
      const middle = (each: HTMLElement) => each.getBoundingClientRect().left + each.offsetWidth / 2
      // Nothing can be moved before the first column.
      const at = heads.slice(1).find((each) => x < middle(each))
      before = nameOf(at)
      show(at, true)
    },
    (stands) => {
      show(undefined, false)
      if (before === undefined) return
      swallowClick()
      if (stands) startCommand('list.columns.move', { params: { column, before: before ?? 'end' }, complete: true })
    },
  )
}
