import { useEffect, useRef, useState } from 'react'
import { listNotes, type Note } from '#contract/notes.ts'
import { type NotedEntity, notesRefresh } from '#domain/note.ts'
import { Refusal, detailOf } from '#kernel/api-client.ts'
import { apiClient } from '#portal/api/client.ts'
import { store } from '#portal/platform/store.ts'
import { refreshWhileSeen } from '#portal/records/refresh.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { meAtom } from '#portal/api/session.ts'

/** Maximum number of notes shown; the newest ones. */
export const maxNotes = 200

interface Notes {
  /** Newest first; null until loaded. */
  notes: readonly Note[] | null
  more: boolean
  /** Why polling stopped; null while it runs. */
  problem: { detail: string | null } | null
  again: () => void
}

/** The notes of a record, polled every 5 seconds while visible, and refetched after a command. */
export function useNotes(entity: NotedEntity, id: string): Notes {
  const [{ notes, more }, setNotes] = useState<Pick<Notes, 'notes' | 'more'>>({ notes: null, more: false })
  const [problem, setProblem] = useState<Notes['problem']>(null)
  const again = useRef(() => {})
  useEffect(() => {
    const read = async ({ first, signal }: { first: boolean; signal: AbortSignal }) => {
      const query = { entity_type: entity, limit: String(maxNotes) }
      const answer = (await apiClient.read(listNotes, { id }, query, { background: !first, signal })) as {
        notes: Note[]
        lek?: string | null
      }
      if (signal.aborted) return
      const me = store.get(meAtom)?.person.id
      // Another API returns only the specified fields of a note.
      const rows = answer.notes.map((note) => ({ ...note, entity_type: entity, entity_id: id, own: note.user.id === me }))
      upsertRecords('note', rows)
      setNotes({ notes: rows, more: Boolean(answer.lek) })
      setProblem(null)
    }
    const failed = (error: unknown) => {
      // Without access, the notes shown so far are removed.
      if (error instanceof Refusal) setNotes({ notes: null, more: false })
      setProblem({ detail: detailOf(error) })
    }
    const { now, stop } = refreshWhileSeen({ every: notesRefresh, read, failed })
    again.current = now
    return stop
  }, [entity, id])
  return { notes, more, problem, again: () => again.current() }
}
