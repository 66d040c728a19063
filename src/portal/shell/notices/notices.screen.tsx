import { useAtomValue } from 'jotai'
import { atom } from 'jotai/vanilla'
import { useEffect, useRef } from 'react'
import { runsCall } from '#contract/listings.ts'
import { onlineAtom } from '#portal/api/online.ts'
import { startCommand } from '#portal/commands/start.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { useEscape } from '#portal/ui/use-escape.ts'
import { reader } from '#portal/keyboard/fixed-keys.ts'
import { navigate } from '#portal/platform/location.ts'
import { noticeKeys } from '#portal/shell/notices/keys.ts'
import { type Notice, noticeDays, type NoticeTarget } from '#portal/shell/notices/notice.ts'
import { isReadAtom, markRead } from '#portal/shell/notices/read-notices.ts'
import { noticesAtom, readNotices } from '#portal/shell/notices/watch-notices.ts'
import { focusArrived } from '#portal/ui/focus-arrived.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'
import { onKeys } from '#portal/ui/on-keys.ts'
import { focusedRow, moveFocus, type RovingRow, rowsIn, useRovingFocus } from '#portal/ui/roving-focus.ts'
import { defineScreen, type ScreenProps } from '#portal/ui/screen.ts'
import '#portal/shell/notices/notices.css'

const icons = { good: 'check', bad: 'alert', wait: 'time' } as const

const noticeKey = reader(noticeKeys)

function open(opens: NoticeTarget): void {
  if ('run' in opens) startCommand('session.run', { params: { run: opens.run }, stays: true })
  else navigate(opens.address)
}

interface RowProps {
  notice: Notice
  read: boolean
  roving: RovingRow
}

function Row({ notice, read, roving }: RowProps) {
  const { tone, sentence, detail, at, opens } = notice
  const content = (
    <>
      <Icon name={icons[tone]} className={`notice-${tone}`} />
      <span className="notice-text">
        <span className="notice-sentence">
          {!read && <span className="sr-only">Unread: </span>}
          {sentence}
        </span>
        {detail && <small>{detail}</small>}
      </span>
      <span className="notice-at">{at === null ? 'now' : dateAndTime(at)}</span>
      <i className="notice-dot" data-unread={!read || undefined} />
    </>
  )
  const common = { ...roving, className: 'notice-row' }
  const follow = () => {
    markRead([notice])
    open(opens)
  }
  if ('run' in opens)
    return (
      <button type="button" {...common} aria-haspopup="dialog" onClick={follow}>
        {content}
      </button>
    )
  return (
    <a
      {...common}
      href={opens.address}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        follow()
      }}
    >
      {content}
    </a>
  )
}

/** The notice that has or last had the focus, to return to it. */
const noticeAtom = atom<string | null>(null)

function Rows({ notices }: { notices: readonly Notice[] }) {
  const isRead = useAtomValue(isReadAtom)
  const keys = notices.map(({ key }) => key)
  const { box, row } = useRovingFocus<string, HTMLOListElement>(noticeAtom, keys)
  return (
    <ol ref={box} className="notice-rows" aria-label="Notices">
      {notices.map((notice, index) => (
        <li key={notice.key}>
          <Row notice={notice} read={isRead(notice)} roving={row(index)} />
        </li>
      ))}
    </ol>
  )
}

function Problem({ detail }: { detail: string | null }) {
  return (
    <div className="notices-failed" role="alert">
      <Icon name="alert" className="text-bad" />
      <span>
        Some notices could not be refreshed.
        {detail && <small>{detail}</small>}
      </span>
      <button type="button" className="btn" onClick={readNotices}>
        Try again <Kbd chord="r" />
      </button>
    </div>
  )
}

/** What the person started that ended, and what waits for a decision, each leading to its record. */
function Notices({ leave }: ScreenProps) {
  const { notices, problem } = useAtomValue(noticesAtom)
  const isRead = useAtomValue(isReadAtom)
  const online = useAtomValue(onlineAtom)
  const page = useRef<HTMLElement>(null)
  useEffect(() => {
    focusArrived(page.current)
    readNotices()
  }, [])
  useEscape(leave)
  const unread = (notices ?? []).filter((notice) => !isRead(notice))
  const keys = onKeys(noticeKey, (action) => {
    const rows = rowsIn(page.current)
    if (action === 'all') markRead(unread)
    else if (action === 'toggle') {
      const notice = notices?.[focusedRow(rows)]
      if (notice) markRead([notice], !isRead(notice))
    } else moveFocus(rows, action)
  })
  return (
    <section
      ref={page}
      data-region="screen"
      tabIndex={-1}
      className="notices"
      aria-label="Notices"
      aria-busy={!notices && !problem}
      onKeyDown={keys}
    >
      <title>Notices - Admin Portal</title>
      <header>
        <h1>Notices</h1>
        <span className="text-muted">{notices && (unread.length > 0 ? `${unread.length} unread` : 'All read')}</span>
        <button type="button" className="btn ml-auto" disabled={unread.length === 0} onClick={() => markRead(unread)}>
          Mark all as read <Kbd chord="Shift+R" />
        </button>
      </header>
      {problem && <Problem detail={problem.detail} />}
      {notices === null && !problem && (
        <p className="notices-none">{online ? 'Loading the notices.' : 'No connection. The notices load when it is back.'}</p>
      )}
      {notices?.length === 0 && (
        <p className="notices-none">
          Nothing has ended and nothing waits for you. Your uploads and batch runs of the last {noticeDays} days are listed here
          when they end.
        </p>
      )}
      {notices && notices.length > 0 && <Rows notices={notices} />}
    </section>
  )
}

/** `/notices` */
export default defineScreen({
  title: 'Notices',
  needs: runsCall.needs,
  reads: runsCall,
  back: () => '/',
  body: Notices,
  keys: [
    { chords: ['Enter'], says: 'open' },
    { chords: ['Space'], says: 'read or unread' },
    { chords: ['Shift+R'], says: 'mark all as read' },
    { chords: ['j', 'k'], says: 'next, previous' },
    { chords: ['Escape'], says: 'close' },
    { chords: ['r'], says: 'refresh' },
    { chords: ['Mod+K'], says: 'anything' },
  ],
})
