import type { DashboardLine } from '#contract/dashboard.ts'
import type { Import } from '#contract/imports.ts'
import type { Run } from '#contract/runs.ts'
import { importStatuses } from '#domain/import.ts'
import { wholeNumber } from '#domain/text.ts'
import { pluralize } from '#kernel/pluralize.ts'

/** What a notice leads to: an address of the portal, or a batch run. */
export type NoticeTarget = { address: string } | { run: string }

/** Something that ended, or waits for a decision. */
export interface Notice {
  /** Identifies the event by ids alone: the same record in another state is another notice. */
  key: string
  tone: 'good' | 'bad' | 'wait'
  sentence: string
  detail: string
  /** When it happened; null for a count as of now. */
  at: string | null
  opens: NoticeTarget
  /** For decisions: the number of rows that wait. */
  count?: number
}

/** Days after which what ended is no longer listed. */
export const noticeDays = 14

const parts = (...texts: readonly (string | false | null)[]): string => texts.filter(Boolean).join(', ')

/** The end of a batch run on the server; null while it is under way. `title` is that of its command. */
export function runNotice(run: Run, title: string): Notice | null {
  if (run.state === 'running' || run.finished_at === null) return null
  const { id, total, done, blocked, failed } = run
  const left = total - done - blocked - failed
  const number = (count: number, word: string) => count > 0 && `${wholeNumber(count)} ${word}`
  const name = run.undoes === null ? title : `Undo ${title.charAt(0).toLowerCase()}${title.slice(1)}`
  return {
    key: `run ${id} ${run.finished_at}`,
    tone: blocked + failed > 0 ? 'bad' : left > 0 ? 'wait' : 'good',
    sentence: `${name}: ${run.state === 'stopped' ? 'stopped' : blocked + failed > 0 ? 'ended, not all done' : 'done'}`,
    detail: parts(
      `${wholeNumber(done)} of ${pluralize(total)} done`,
      number(blocked, 'refused'),
      number(failed, 'failed'),
      number(left, 'not started'),
    ),
    at: run.finished_at,
    opens: { run: id },
  }
}

/** What happened to an uploaded file, by its status; without those that are under way, or that a person rejected. */
const happened: Partial<Record<Import['status'], (one: Import) => Pick<Notice, 'tone' | 'sentence'>>> = {
  FAIL: ({ file_name }) => ({ tone: 'bad', sentence: `${file_name} was not imported` }),
  PAUSED: ({ file_name, questions }) => ({
    tone: 'wait',
    sentence: `${file_name} waits for ${questions.length > 0 ? 'an answer' : 'a decision'}`,
  }),
  SUCCESS: ({ file_name, rejected }) =>
    rejected > 0
      ? { tone: 'wait', sentence: `${file_name} was imported without ${pluralize(rejected, { one: 'line', many: 'lines' })}` }
      : { tone: 'good', sentence: `${file_name} was imported` },
  DUPLICATED: ({ file_name }) => ({ tone: 'wait', sentence: `${file_name} was imported before` }),
}

/** The statuses of files with a notice, for the query. */
export const noticedStatuses = importStatuses.values.filter((status) => happened[status])

/** An uploaded file that ended or waits; null for other states, and for parts of a file for several employers without a problem. */
export function importNotice(one: Import): Notice | null {
  const event = happened[one.status]?.(one)
  if (!event || (one.part_of !== null && event.tone === 'good')) return null
  return {
    ...event,
    key: `import ${one.id} ${one.status} ${one.finished_at ?? ''}`,
    detail: [one.employer_name ?? one.organization_name, one.message].filter(Boolean).join(' · '),
    at: one.finished_at ?? one.received_at,
    opens: { address: `/imports/${one.id}` },
  }
}

/** The key of the notice about rows that wait for a decision. */
export const decisionKey = ({ id }: DashboardLine): string => `decision ${id}`

/** Rows that wait for a decision of anybody with the permission; null if none do. */
export const decisionNotice = (line: DashboardLine, count: number): Notice | null => {
  const { title, detail, reads, search } = line
  return count === 0
    ? null
    : {
        key: decisionKey(line),
        tone: 'wait',
        sentence: `${title}: ${wholeNumber(count)}`,
        detail: detail ?? '',
        at: null,
        opens: { address: `${reads.path}?${search}` },
        count,
      }
}

/** Decisions first, then what happened, newest first. */
export const inOrder = (notices: readonly Notice[]): Notice[] =>
  notices.toSorted(
    (a, b) => (b.at === null ? 1 : 0) - (a.at === null ? 1 : 0) || Date.parse(b.at ?? '') - Date.parse(a.at ?? '') || 0,
  )
