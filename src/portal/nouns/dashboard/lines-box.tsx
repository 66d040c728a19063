import { atom } from 'jotai/vanilla'
import type { LineId } from '#contract/dashboard.ts'
import { navigate } from '#portal/platform/location.ts'
import { commands } from '#portal/platform/registry.ts'
import type { DashboardAction } from '#portal/nouns/dashboard/keys.ts'
import type { DrawnLine } from '#portal/nouns/dashboard/lines.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { moveFocus, rowsIn, useRovingFocus } from '#portal/ui/roving-focus.ts'
import { useShortcut } from '#portal/ui/use-shortcut.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

/** The icon of the list that a line links to. */
const iconOf = (path: string): string =>
  commands().find((command) => 'place' in command && typeof command.place === 'object' && command.place.address === path)?.icon ??
  'warning'

/** Performs the action of a key: moves the focus to a line, or opens the one of that number. */
export function actOnLines(page: Element, action: DashboardAction, key: string): void {
  const lines = rowsIn(page)
  if (action === 'line') lines['123456789'.indexOf(key)]?.click()
  else moveFocus(lines, action)
}

/** The line that has or last had the focus, to return to it after visiting its list. */
const lineAtom = atom<LineId | null>(null)

/** The lines that need attention, each a link to its filtered list. */
export function Lines({ lines }: { lines: readonly DrawnLine[] }) {
  const shortcut = useShortcut()
  const ids = lines.map(({ id }) => id)
  const { box, row } = useRovingFocus(lineAtom, ids)
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
              {...row(index)}
              className="today-line"
              href={line.address}
              aria-keyshortcuts={index < 9 ? shortcut(String(index + 1)) : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
                event.preventDefault()
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
