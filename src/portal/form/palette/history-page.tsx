import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Command } from '#kernel/command.ts'
import type { HistoryEntry } from '#kernel/history.ts'
import { characterOf } from '#kernel/keys.ts'
import { OneLine, PageHead } from '#portal/form/page-lines.tsx'
import { commandLink } from '#portal/commands/links.ts'
import { historyAtom, offersUndo } from '#portal/commands/history.ts'
import { popPage } from '#portal/commands/palette-state.ts'
import { commandById } from '#portal/platform/registry.ts'
import { startCommand } from '#portal/commands/start.ts'
import { targetsBy } from '#portal/list/target.ts'
import { copyAndSay } from '#portal/platform/copy-and-say.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { keyWorks } from '#portal/keyboard/letters.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import { wholeNumber } from '#domain/text.ts'

const targetsOf = ({ target, together }: HistoryEntry) =>
  target ? { targets: targetsBy(target.entity, together ?? [target.id]) } : {}

/** Whether it concerned several records: run by this page, or by the server, whose runs name none of them here. */
const overSeveral = ({ command, rows, target }: HistoryEntry): boolean =>
  rows !== undefined || (target === null && commandById(command)?.on !== undefined)

/** Link that opens the command's form with its values, and runs nothing. */
const linkOf = (command: Command, entry: HistoryEntry): string =>
  commandLink(command, targetsOf(entry).targets ?? null, entry.params)

/** The history of this session, newest first: Enter runs an entry again, u undoes it, y copies a link. */
export function HistoryPage() {
  const entries = useAtomValue(historyAtom)
  const list = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  useEffect(() => list.current?.focus(), [])
  if (entries.length === 0)
    return (
      <>
        <PageHead chip={null} title="Session activity" />
        <OneLine icon="history">Nothing was changed in this session yet.</OneLine>
      </>
    )
  const at = Math.min(active, entries.length - 1)
  const entry = entries[at] as HistoryEntry
  const repeat = () => {
    const run = entry.undoneBy ?? entry.run
    if (run) startCommand('session.run', { params: { run }, stays: true })
    else if (overSeveral(entry)) showToast('A run over several rows starts from their list.')
    else startCommand(entry.command, { ...targetsOf(entry), params: entry.params })
  }
  const copy = () => {
    const command = commandById(entry.command)
    if (!command) return showToast('There is no such command in this version of the portal.', { tone: 'bad' })
    void copyAndSay(linkOf(command, entry), 'Link copied')
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey) return
    const mod = event.ctrlKey || event.metaKey
    const { key } = event
    const letter = characterOf(event)
    if (key === 'Escape' || key === 'Backspace') popPage()
    else if (key === 'ArrowDown' || letter === 'j') setActive(at === entries.length - 1 ? 0 : at + 1)
    else if (key === 'ArrowUp' || letter === 'k') setActive(at === 0 ? entries.length - 1 : at - 1)
    else if (key === 'Home') setActive(0)
    else if (key === 'End') setActive(entries.length - 1)
    else if (key === 'Enter') repeat()
    else if (letter === 'u' || (mod && letter === 'z')) startCommand('session.undo', { params: { entry: entry.id }, stays: true })
    else if (letter === 'y' || (mod && letter === 'c')) copy()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <PageHead chip={null} title="Session activity" />
      <div
        ref={list}
        role="listbox"
        aria-label="What was done, newest first"
        aria-activedescendant={`history-${at}`}
        tabIndex={0}
        onKeyDown={keys}
        className="max-h-[52vh] overflow-auto py-1.5 outline-none"
      >
        {entries.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys
          <div
            key={each.id}
            id={`history-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => setActive(index)}
            ref={(row) => {
              if (index === at) row?.scrollIntoView?.({ block: 'nearest' })
            }}
            className={`mx-1.5 flex h-9 items-center gap-3 rounded-[7px] px-2.5 ${index === at ? 'bg-accent-wash' : ''}`}
          >
            <time className="shrink-0 text-muted" dateTime={new Date(each.at).toISOString()}>
              {dateAndTime(new Date(each.at).toISOString()).replace(/^.*, /, '')}
            </time>
            <span className={`truncate ${each.undone && !each.kept ? 'text-muted line-through' : ''}`}>{each.sentence}</span>
            <span className="ml-auto shrink-0 text-small text-muted">
              {each.kept ? `undone, except for ${wholeNumber(each.kept)}` : each.undone ? 'undone' : ''}
            </span>
          </div>
        ))}
      </div>
      <div className="flex h-9 items-center gap-4 border-t border-line bg-canvas px-4 text-small text-muted">
        <span className="inline-flex items-center gap-1.5">
          <Kbd chord="Enter" /> {entry.run ? 'show' : 'repeat'}
        </span>
        {offersUndo(entry, Date.now()) && (
          <span className="inline-flex items-center gap-1.5">
            <Kbd chord={keyWorks('u') ? 'u' : 'Mod+Z'} /> undo
          </span>
        )}
        <span className="inline-flex items-center gap-1.5">
          <Kbd chord={keyWorks('y') ? 'y' : 'Mod+C'} /> copy link
        </span>
      </div>
    </>
  )
}
