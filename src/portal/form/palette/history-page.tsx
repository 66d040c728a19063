import { useAtomValue } from 'jotai'
import type { Command } from '#kernel/command.ts'
import type { HistoryEntry } from '#kernel/history.ts'
import { type ListKey, ListPage } from '#portal/form/palette/list-page.tsx'
import { commandLink } from '#portal/commands/links.ts'
import { historyAtom, offersUndo } from '#portal/commands/history.ts'
import { commandById } from '#portal/platform/registry.ts'
import { startCommand } from '#portal/commands/start.ts'
import { targetsBy } from '#portal/list/target.ts'
import { copyAndSay } from '#portal/platform/copy-and-say.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { keyWorks } from '#portal/keyboard/letters.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { wholeNumber } from '#domain/text.ts'

const targetsOf = ({ target, together }: HistoryEntry) =>
  target ? { targets: targetsBy(target.entity, together ?? [target.id]) } : {}

/** Whether it concerned several records: run by this page, or by the server, whose runs name none of them here. */
const overSeveral = ({ command, rows, target }: HistoryEntry): boolean =>
  rows !== undefined || (target === null && commandById(command)?.on !== undefined)

/** Link that opens the command's form with its values, and runs nothing. */
const linkOf = (command: Command, entry: HistoryEntry): string =>
  commandLink(command, targetsOf(entry).targets ?? null, entry.params)

function repeat(entry: HistoryEntry): void {
  const run = entry.undoneBy ?? entry.run
  if (run) startCommand('session.run', { params: { run }, stays: true })
  else if (overSeveral(entry)) showToast('A run over several rows starts from their list.')
  else startCommand(entry.command, { ...targetsOf(entry), params: entry.params })
}

function copy(entry: HistoryEntry): void {
  const command = commandById(entry.command)
  if (command) void copyAndSay(linkOf(command, entry), 'Link copied')
  else showToast('There is no such command in this version of the portal.', { tone: 'bad' })
}

function onKey({ event, letter, mod }: ListKey, entry: HistoryEntry): boolean {
  if (event.key === 'Enter') repeat(entry)
  else if (letter === 'u' || (mod && letter === 'z')) startCommand('session.undo', { params: { entry: entry.id }, stays: true })
  else if (letter === 'y' || (mod && letter === 'c')) copy(entry)
  else return false
  return true
}

const Entry = ({ entry }: { entry: HistoryEntry }) => {
  const at = new Date(entry.at).toISOString()
  return (
    <>
      <time className="shrink-0 text-muted" dateTime={at}>
        {dateAndTime(at).replace(/^.*, /, '')}
      </time>
      <span className={`truncate ${entry.undone && !entry.kept ? 'text-muted line-through' : ''}`}>{entry.sentence}</span>
      <span className="ml-auto shrink-0 text-small text-muted">
        {entry.kept ? `undone, except for ${wholeNumber(entry.kept)}` : entry.undone ? 'undone' : ''}
      </span>
    </>
  )
}

/** The history of this session, newest first: Enter runs an entry again, u undoes it, y copies a link. */
export function HistoryPage() {
  return (
    <ListPage
      title="Session activity"
      label="What was done, newest first"
      empty={{ icon: 'history', sentence: 'Nothing was changed in this session yet.' }}
      rows={useAtomValue(historyAtom)}
      keyOf={({ id }) => id}
      content={(entry) => <Entry entry={entry} />}
      hints={(entry) => [
        { chord: 'Enter', says: entry.run ? 'show' : 'repeat' },
        ...(offersUndo(entry, Date.now()) ? [{ chord: keyWorks('u') ? 'u' : 'Mod+Z', says: 'undo' }] : []),
        { chord: keyWorks('y') ? 'y' : 'Mod+C', says: 'copy link' },
      ]}
      onKey={onKey}
    />
  )
}
