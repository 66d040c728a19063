import { entryAt } from '#portal/platform/entries.ts'
import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react'
import { isNoted, type NotedEntity } from '#domain/note.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { locationAtom, placeAtom, setSearch } from '#portal/platform/location.ts'
import { commandById, entityByName } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { loadRecord } from '#portal/records/load-record.ts'
import { useQuery } from '#portal/records/use-query.ts'
import { oneTarget } from '#portal/list/target.ts'
import { Composer } from '#portal/drawer/composer.tsx'
import { NoteList } from '#portal/drawer/note-list.tsx'
import { maxNotes, useNotes } from '#portal/drawer/use-notes.ts'
import { focusHere } from '#portal/keyboard/focus.ts'
import { record, recordAtom } from '#portal/records/entity-store.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'
import '#portal/drawer/drawer.css'

const close = (): void => setSearch({ entity_type: null, entity_id: null, title: null })

/**
 * Goes back in the history. Where that would load another document, which would not show the error, or the browser cannot tell,
 * only the drawer closes.
 */
function goBack(): void {
  if (entryAt(-1)?.sameDocument) history.back()
  else close()
}

/** The notes of the record in the address, `entity_type`, `entity_id` and `title` (SCR-069). */
export function Drawer() {
  const search = useAtomValue(locationAtom, { store }).searchParams
  const [type = null, id, title] = ['entity_type', 'entity_id', 'title'].map((name) => search?.get(name) ?? null)
  const wrong = !isNoted(type) || entityByName(type).ids.read(id ?? '') === null
  useEffect(() => {
    if (!wrong) return
    showToast('These notes could not be opened.', {
      tone: 'bad',
      detail:
        type === null ? 'The link does not say what kind of record they are about.' : 'The link does not name such a record.',
    })
    goBack()
  }, [wrong, type])
  if (wrong || !id) return null
  return <Notes key={`${type} ${id}`} type={type} id={id} title={title ?? ''} />
}

/** When another record replaces the one that the notes belong to, the drawer follows. */
function useFollowing(entity: AnyEntity, id: string): void {
  const place = useAtomValue(placeAtom, { store })
  const beside = useRef(false)
  const open = place?.entity === entity.name ? place.id : null
  useEffect(() => {
    if (open === id) beside.current = true
    else if (beside.current && open !== null) {
      const one = record(entity.name, open)
      setSearch({ entity_id: open, title: one === undefined ? open : entity.title(one) }, { replace: true })
    }
  }, [open, id, entity])
}

function Notes({ type, id, title }: { type: NotedEntity; id: string; title: string }) {
  const entity = entityByName(type)
  const one = useAtomValue(recordAtom(type, id), { store })
  const { notes, more, problem, again } = useNotes(type, id)
  const box = useRef<HTMLElement>(null)
  const command = commandById(`note.add.${type}`)
  useFollowing(entity, id)
  // For users without access, the notes say so.
  useQuery((signal) => loadRecord(entity, id, signal), [entity, id])
  const toField = useCallback(() => box.current?.querySelector('textarea')?.focus(), [])
  useEffect(
    () => () => {
      if (document.activeElement === document.body) focusHere()
    },
    [],
  )
  // `title` in a link may be anything: replaced by the record's title once it is loaded.
  const name = one === undefined ? title : entity.title(one)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
    event.preventDefault()
    close()
    focusHere()
  }
  return (
    <aside
      ref={box}
      className="drawer"
      data-region="drawer"
      data-keeps-region
      aria-label={`Notes of ${name}`}
      onKeyDown={onKeyDown}
    >
      <header className="drawer-head">
        <h2>Notes</h2>
        <span className="truncate text-muted">{name}</span>
        <button type="button" className="btn btn-quiet" onClick={close}>
          Close <Kbd chord="Escape" />
        </button>
      </header>
      {problem && (
        <div className="drawer-problem" role="alert">
          <Icon name="alert" className="text-bad" />
          <span>
            The notes could not be refreshed.
            {problem.detail && <small>{problem.detail}</small>}
          </span>
          <button type="button" className="btn" onClick={again}>
            Try again
          </button>
        </div>
      )}
      <div className="drawer-body" aria-busy={notes === null && !problem}>
        {notes && <NoteList notes={notes} leave={toField} />}
        {notes?.length === 0 && <p className="p-4 text-muted">No notes yet.</p>}
        {more && <p className="p-4 text-muted">Only the newest {maxNotes} notes are shown.</p>}
      </div>
      {command && one !== undefined && <Composer command={command} targets={oneTarget(type, id)} record={one} />}
    </aside>
  )
}
