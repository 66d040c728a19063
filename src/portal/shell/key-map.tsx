import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useRef, useState } from 'react'
import { capitalize } from '#domain/text.ts'
import { drawChord } from '#kernel/keys.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { Modal } from '#portal/ui/modal.tsx'
import { type KeyLine, showKeyMap } from '#portal/keyboard/key-map.ts'
import { hereAtom } from '#portal/keyboard/focus.ts'
import { keyWorks, lettersAtom } from '#portal/keyboard/letters.ts'
import { type KeyGroup, keyGroups, keysMatching, workingKeys } from '#portal/keyboard/key-words.ts'
import { mac } from '#portal/platform/operating-system.ts'
import { commands, registeredAtom } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { selectionAtom } from '#portal/list/target.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

const Line = ({ line }: { line: KeyLine }) => (
  <div className="flex items-baseline gap-3">
    <dd className="text-muted">{capitalize(line.says)}</dd>
    <dt className="ml-auto flex shrink-0 gap-1">
      {line.chords.map((chord) => (
        <Kbd key={chord} chord={chord} hidden={false} />
      ))}
    </dt>
  </div>
)

const Group = ({ title, lines }: KeyGroup) => (
  <section className="mb-5 break-inside-avoid">
    <h3 className="pb-1.5 text-small font-semibold">{title}</h3>
    <dl className="grid gap-1">
      {lines.map((line) => (
        <Line key={line.says} line={line} />
      ))}
    </dl>
  </section>
)

/** The title of the page, `Dashboard`. */
const pageTitle = () => document.title.split(' - ')[0]

/** How far these keys scroll the map while the search has the focus, in heights of the map. */
const scrolls: Readonly<Record<string, number>> = { ArrowDown: 0.1, ArrowUp: -0.1, PageDown: 0.9, PageUp: -0.9 }

/** All keys, of commands and of navigation; those of the focused part come first, and typing searches them. */
export function KeyMap() {
  useAtomValue(registeredAtom, { store })
  const [typed, setTyped] = useState('')
  const map = useRef<HTMLElement>(null)
  const letters = useAtomValue(lettersAtom, { store })
  const all = workingKeys(keyGroups(commands(), store.get(hereAtom), store.get(selectionAtom)?.entity, pageTitle()), (chord) =>
    keyWorks(chord, letters),
  )
  const groups = keysMatching(all, typed, (chord) => drawChord(chord, mac).join(' '))
  const count = groups.reduce((sum, { lines }) => sum + lines.length, 0)
  const scroll = (event: KeyboardEvent) => {
    const by = scrolls[event.key]
    if (by === undefined || event.nativeEvent.isComposing) return
    event.preventDefault()
    map.current?.scrollBy({ top: by * map.current.clientHeight })
  }
  return (
    <Modal title="Keys" wide onClose={() => showKeyMap(false)}>
      <div className="flex flex-none gap-3 pb-3">
        <input
          className="field"
          type="text"
          aria-label="Search the keys"
          placeholder="Search by action or key"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={scroll}
        />
        <button type="button" className="btn h-[34px]" onClick={() => showKeyMap(false)}>
          Close <Kbd chord="Escape" />
        </button>
      </div>
      <section
        ref={map}
        className="min-h-0 overflow-auto pr-2"
        aria-label="All keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
      >
        <div className="columns-3 gap-8 max-[1000px]:columns-2 max-[640px]:columns-1">
          {groups.map((group) => (
            <Group key={group.title} {...group} />
          ))}
        </div>
        <p className={count ? 'sr-only' : 'text-muted'} role="status">
          {count ? typed && pluralize(count, { one: 'key', many: 'keys' }) : `No key matches “${typed.trim()}”.`}
        </p>
      </section>
    </Modal>
  )
}
