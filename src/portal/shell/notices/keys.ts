import { type RowMove, rowMoves } from '#portal/ui/roving-focus.ts'

/** Action of a key on the page of notices. */
export type NoticeAction = RowMove | 'toggle' | 'all'

/** Keys of the notices without a command. */
export const noticeKeys: Readonly<Record<string, NoticeAction>> = { ...rowMoves, Space: 'toggle', 'Shift+R': 'all' }
