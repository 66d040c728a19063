import { useAtom } from 'jotai'
import { atom } from 'jotai/vanilla'
import { useLayoutEffect, useRef } from 'react'
import type { LineId } from '#contract/dashboard.ts'
import { navigate } from '#portal/platform/location.ts'
import { commands } from '#portal/platform/registry.ts'
import type { DashboardAction } from '#portal/nouns/dashboard/keys.ts'
import type { DrawnLine } from '#portal/nouns/dashboard/lines.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { useShortcut } from '#portal/ui/use-shortcut.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

/** The icon of the list that a line links to. */
const iconOf = (path: string): string =>
  commands().find((command) => 'place' in command && typeof command.place === 'object' && command.place.address === path)?.icon ??
  'warning'

const drawn = (page: Element): HTMLElement[] => [...page.querySelectorAll<HTMLElement>('[data-line]')]

/** Performs the action of a key: moves the focus to a line, or opens the one of that number. */
export function actOnLines(page: Element, action: DashboardAction, key: string): void {
  const all = drawn(page)
  if (action === 'line') {
    all['123456789'.indexOf(key)]?.click()
    return
  }
  const now = all.indexOf(document.activeElement as HTMLElement)
  const to = { next: now + 1, previous: now < 0 ? all.length - 1 : now - 1, first: 0, last: all.length - 1 }[action]
  all[Math.max(0, Math.min(all.length - 1, to))]?.focus()
}

/** The line that has or last had the focus, to return to it after visiting its list. */
const lineAtom = atom<LineId | null>(null)

/** The lines that need attention, each a link to its filtered list. */
export function Lines({ lines }: { lines: readonly DrawnLine[] }) {
  const box = useRef<HTMLElement>(null)
  const shortcut = useShortcut()
  const [last, setLast] = useAtom(lineAtom)
  const had = useRef(-1)
  const at = lines.findIndex(({ id }) => id === last)
  const current = Math.max(0, at)
  // The first line takes the focus from the page when the lines load; if the focused line is removed, the next one gets it.
  useLayoutEffect(() => {
    const page = box.current?.closest<HTMLElement>('[data-region]')
    const now = document.activeElement
    const lost = had.current >= 0 && now === document.body
    if (!page || (now !== page && !lost)) return
    const all = drawn(page)
    ;(all[lost ? Math.min(had.current, all.length - 1) : current] ?? page).focus({ preventScroll: true })
  })
  return (
    <section ref={box} className="today-box" aria-label="Needs attention">
      <h2>
        Needs attention <span>{lines.length || ''}</span>
      </h2>
      {lines.length === 0 && <p className="p-4 text-muted">Nothing needs you today.</p>}
      <ol className="today-lines">
        {lines.map((line, index) => (
          <li key={line.id}>
            <a
              data-line
              className="today-line"
              href={line.address}
              tabIndex={index === current ? 0 : -1}
              aria-keyshortcuts={index < 9 ? shortcut(String(index + 1)) : undefined}
              onFocus={() => {
                had.current = index
                setLast(line.id)
              }}
              onBlur={(event) => {
                // `relatedTarget` is null also if the focused line is removed.
                if (event.relatedTarget) had.current = -1
              }}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
                event.preventDefault()
                setLast(line.id)
                navigate(line.address)
              }}
            >
              <Icon name={iconOf(line.reads.path)} />
              <span>
                {line.title} {line.detail && <small>{line.detail}</small>}
              </span>
              <b>{line.counted}</b>
              <span className="today-amount">
                {line.cents !== null && (
                  <>
                    {line.cents} <small>{line.amount}</small>
                  </>
                )}
              </span>
              {index < 9 ? <Kbd chord={String(index + 1)} /> : <span />}
            </a>
          </li>
        ))}
      </ol>
    </section>
  )
}
