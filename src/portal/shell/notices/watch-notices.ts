import { atom } from 'jotai/vanilla'
import { dashboardLines, type LineId } from '#contract/dashboard.ts'
import { type Import, listImports } from '#contract/imports.ts'
import { listRuns, type Run } from '#contract/runs.ts'
import { may } from '#domain/permissions.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { detailOf, Refusal } from '#kernel/api-client.ts'
import { canAskAtom, capabilitiesAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { heldAtom } from '#portal/api/session.ts'
import { paletteAtom } from '#portal/commands/palette-state.ts'
import { runsAtom, watched } from '#portal/commands/run-views.ts'
import { commandOf } from '#portal/commands/server-runs.ts'
import { refreshedAtom } from '#portal/list/lists.ts'
import { locationAtom } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { announce } from '#portal/platform/toasts.ts'
import { refreshWhileSeen } from '#portal/records/refresh.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'
import { countAt } from '#portal/shell/count-places.ts'
import {
  decisionKey,
  decisionNotice,
  importNotice,
  inOrder,
  type Notice,
  noticeDays,
  noticedStatuses,
  runNotice,
} from '#portal/shell/notices/notice.ts'
import { followOtherTabs, isReadAtom, lowerRead, markRead } from '#portal/shell/notices/read-notices.ts'

/** Milliseconds between two reads, as for the counts in the rail. */
const readInterval = 60_000
/** Maximum number of uploaded files that are listed. */
const maxImports = '50'

/** Lines of the dashboard that wait for a decision of those who have the permission. */
const decisions: readonly LineId[] = ['write-offs-to-approve', 'deductions-to-approve', 'imports-waiting']

interface Notices {
  /** In display order; null until they were read once. */
  notices: readonly Notice[] | null
  /** Why some of them could not be refreshed; null if all were. */
  problem: { detail: string | null } | null
}
const nothing: Notices = { notices: null, problem: null }

/** The notices of the signed-in person, as of the last read. */
export const noticesAtom = atom<Notices>(nothing)

/** The notices that the person has not read in this browser. */
export const unreadAtom = atom((get) => {
  const isRead = get(isReadAtom)
  return (get(noticesAtom).notices ?? []).filter((notice) => !isRead(notice))
})

type Source = (signal: AbortSignal) => Promise<readonly (Notice | null)[]>

/** Milliseconds of a day. */
const day = 86_400_000
const since = (): number => Date.now() - noticeDays * day
const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const ended: Source = async (signal) => {
  if (!store.get(capabilitiesAtom)(listRuns)) return []
  const { runs } = (await apiClient.read(listRuns, {}, undefined, { background: true, signal })) as { runs: Run[] }
  return runs
    .filter(({ finished_at }) => finished_at !== null && Date.parse(finished_at) > since())
    .map((run) => {
      const command = commandOf(run)
      return command ? runNotice(run, command.title) : null
    })
}

const uploads: Source = async (signal) => {
  const query = {
    mine: 'YES',
    status: noticedStatuses.join(','),
    'received-from': dateOf(since()),
    // A range needs both dates; in the business time zone it may be tomorrow.
    'received-to': dateOf(Date.now() + day),
    limit: maxImports,
  }
  if (may(store.get(heldAtom), listImports.needs) !== 'yes' || !store.get(canAskAtom)(listImports, query)) return []
  const { imports } = (await apiClient.read(listImports, {}, query, { background: true, signal })) as { imports: Import[] }
  return imports.map(importNotice)
}

const waiting: Source = (signal) =>
  Promise.all(
    dashboardLines
      .filter(({ id, needs }) => decisions.includes(id) && may(store.get(heldAtom), needs) === 'yes')
      .map(async (line) => {
        const count = await countAt(`${line.reads.path}?${line.search}`, signal)
        const key = decisionKey(line)
        if (count === null) return known.flat().find((notice) => notice.key === key) ?? null
        if (!signal.aborted) lowerRead(key, count)
        return decisionNotice(line, count)
      }),
  )

const sources = [ended, uploads, waiting]

/** The last answer of each source: after a failure it stays, after a refusal nothing does. */
let known: (readonly Notice[])[] = []

async function readAll(signal: AbortSignal): Promise<void> {
  const before = store.get(noticesAtom).notices
  let problem: Notices['problem'] = null
  const read = await Promise.all(
    sources.map(async (source, index) => {
      try {
        return (await source(signal)).filter((notice) => notice !== null)
      } catch (error) {
        problem ??= { detail: detailOf(error) }
        return error instanceof Refusal ? [] : (known[index] ?? [])
      }
    }),
  )
  if (signal.aborted) return
  known = read
  const notices = inOrder(read.flat())
  // Without any answer it is unknown whether there are notices.
  store.set(noticesAtom, { notices: problem && !before && notices.length === 0 ? null : notices, problem })
  markOpen()
  if (before) announceNew(before)
}

/** What the person has on screen is no news. */
function markOpen(): void {
  if (document.visibilityState !== 'visible') return
  const { pathname } = store.get(locationAtom)
  const isOpen = ({ opens }: Notice) => ('run' in opens ? watched(opens.run) : opens.address === pathname)
  markRead(store.get(unreadAtom).filter(isOpen))
}

/** Announces new notices to screen readers; the end of a run that this page follows has its own message. */
function announceNew(before: readonly Notice[]): void {
  const old = new Set(before.map(({ key }) => key))
  const runs = store.get(runsAtom)
  const news = store.get(unreadAtom).filter(({ key, opens }) => !old.has(key) && !('run' in opens && runs.has(opens.run)))
  if (news.length === 0) return
  announce(news.length === 1 ? `New notice: ${news[0]?.sentence}.` : `${pluralize(news.length, noun)} are new.`)
}

/** The noun of a notice. */
export const noun = { one: 'notice', many: 'notices' }

let again: () => void = () => {}

/** Reads the notices at once, instead of within a minute. */
export const readNotices = (): void => again()

/**
 * Reads the notices at once, every minute while the page is visible, and after every change of this person. Returns the function
 * that stops it, and forgets them.
 */
export function watchNotices(): () => void {
  known = []
  store.set(noticesAtom, nothing)
  const { now, stop } = refreshWhileSeen({ every: readInterval, read: ({ signal }) => readAll(signal), failed: () => {} })
  again = now
  const stops = [
    stop,
    followOtherTabs(),
    ...[refreshedAtom, rightsChangesAtom].map((changed) => store.sub(changed, now)),
    ...[locationAtom, paletteAtom].map((changed) => store.sub(changed, markOpen)),
  ]
  return () => {
    for (const each of stops) each()
    again = () => {}
    store.set(noticesAtom, nothing)
  }
}
