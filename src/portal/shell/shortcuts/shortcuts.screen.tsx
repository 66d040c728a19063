import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { signedIn } from '#domain/permissions.ts'
import { capitalize } from '#domain/text.ts'
import { type Command, groupOf } from '#kernel/command.ts'
import { finder } from '#kernel/rank.ts'
import { findableCommand } from '#kernel/findable.ts'
import { keysFile, keysFileName, readKeysFile } from '#portal/commands/change-keys.ts'
import { ownKeys, setOwnKeys } from '#portal/commands/own-keys.ts'
import { useEscape } from '#portal/ui/use-escape.ts'
import { changeKeysOf } from '#portal/keyboard/key-map.ts'
import { commands, registeredAtom } from '#portal/platform/registry.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { focusArrived } from '#portal/ui/focus-arrived.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import { defineScreen, type ScreenProps } from '#portal/ui/screen.ts'
import '#portal/shell/shortcuts/shortcuts.css'

/** Maximum number of commands found by a text. */
const maxFound = 60

const placeOf = (command: Command): string => (command.on ? capitalize(command.on.one) : groupOf(command))

/** Commands with a shortcut by heading, or the commands that a text finds, with or without one. */
function listed(all: readonly Command[], text: string, own: Readonly<Record<string, unknown>>): readonly Command[] {
  if (text.trim()) {
    const find = finder(all.map((each) => findableCommand(each.id, each.title, each, each.aliases ?? [], [])))
    return find(text, () => 0, maxFound).map((hit) => hit.item.of)
  }
  return all
    .filter(({ id, keys }) => keys?.length || id in own)
    .sort((a, b) => placeOf(a).localeCompare(placeOf(b)) || a.title.localeCompare(b.title))
}

function save(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = keysFileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

function Shortcuts({ leave }: ScreenProps) {
  const registered = useAtomValue(registeredAtom)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [refused, setRefused] = useState<readonly string[]>([])
  const field = useRef<HTMLInputElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  useEffect(() => focusArrived(field.current), [])
  useEscape(leave)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the registered commands lists them again
  const own = useMemo(ownKeys, [registered])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same
  const rows = useMemo(() => listed(commands(), text, own), [registered, text, own])
  const active = Math.min(at, rows.length - 1)
  const choose = (next: number) => {
    const to = (next + rows.length) % Math.max(1, rows.length)
    setAt(to)
    document.getElementById(`shortcut-${to}`)?.scrollIntoView({ block: 'nearest' })
  }
  const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, defaultPrevented, nativeEvent } = event
    if (defaultPrevented || nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const by = moves[key]
    const row = rows[active]
    if (by) choose(Math.abs(by) === 1 ? active + by : Math.max(0, Math.min(active + by, rows.length - 1)))
    else if (key === 'Enter' && row) changeKeysOf(row.id)
    else if (key === 'Escape' && text) setText('')
    else return
    event.preventDefault()
  }
  const take = async (file: File | undefined) => {
    if (!file) return
    const read = readKeysFile(await file.text().catch(() => ''))
    if (typeof read === 'string') {
      setRefused([])
      showToast(read, { tone: 'bad' })
      return
    }
    const count = Object.keys(read.own).length
    setOwnKeys(read.own)
    setRefused(read.refused)
    showToast(`${count} changed shortcut${count === 1 ? '' : 's'} imported`, {
      tone: read.refused.length ? 'plain' : 'good',
      detail: read.refused.length ? `${read.refused.length} refused, listed on the page.` : null,
    })
  }
  const resetAll = () => {
    const before = own
    setOwnKeys({})
    setRefused([])
    showToast(`${Object.keys(before).length} shortcuts have their original keys again`, { tone: 'good' })
  }
  return (
    <section data-region="page" className="shortcuts" aria-label="Keyboard shortcuts">
      <title>Keyboard shortcuts - Admin Portal</title>
      <header>
        <div>
          <h2>Keyboard shortcuts</h2>
          <p>Yours alone, in this browser. Enter changes the chosen one.</p>
        </div>
        <div className="shortcut-acts">
          <button type="button" className="btn" disabled={!Object.keys(own).length} onClick={resetAll}>
            Reset all
          </button>
          <button type="button" className="btn" onClick={() => picker.current?.click()}>
            Import
          </button>
          <button type="button" className="btn" onClick={() => save(keysFile(own))}>
            Export
          </button>
          <input
            ref={picker}
            type="file"
            accept=".json,application/json"
            hidden
            aria-label="File of shortcuts"
            onChange={(event) => {
              void take(event.target.files?.[0])
              event.target.value = ''
            }}
          />
        </div>
      </header>
      <div className="shortcut-find">
        <input
          ref={field}
          className="field"
          type="text"
          role="combobox"
          aria-label="Find a command"
          aria-expanded={rows.length > 0}
          aria-controls="shortcut-list"
          aria-autocomplete="list"
          aria-activedescendant={rows.length ? `shortcut-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="Find a command, with or without a shortcut"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {refused.length > 0 && (
        <div role="alert" className="shortcut-refused">
          <b>Refused in the file</b>
          <ul>
            {refused.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      <div id="shortcut-list" role="listbox" aria-label="Commands" data-inline className="shortcut-list">
        {rows.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={command.id}
            id={`shortcut-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="shortcut-row"
            onClick={() => changeKeysOf(command.id)}
          >
            <span>{command.title}</span>
            <span className="text-small text-muted">{placeOf(command)}</span>
            <span className="text-small text-accent">{command.id in own ? 'changed' : ''}</span>
            <span className="shortcut-keys">
              {command.keys?.length ? (
                command.keys.map(({ chord, scope }) => <Kbd key={`${scope} ${chord}`} chord={chord} hidden={false} />)
              ) : (
                <span className="text-small text-muted">none</span>
              )}
            </span>
          </div>
        ))}
        {rows.length === 0 && <p className="p-4 text-muted">No command matches this.</p>}
      </div>
    </section>
  )
}

/** `/shortcuts` */
export default defineScreen({
  title: 'Keyboard shortcuts',
  needs: signedIn,
  back: () => '/',
  body: Shortcuts,
  keys: [
    { chords: ['ArrowUp', 'ArrowDown'], says: 'choose' },
    { chords: ['Enter'], says: 'change' },
    { chords: ['Escape'], says: 'close' },
    { chords: ['Mod+K'], says: 'anything' },
  ],
})
