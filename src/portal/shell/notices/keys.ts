/** Action of a key on the page of notices. */
export type NoticeAction = 'next' | 'previous' | 'first' | 'last' | 'toggle' | 'all'

/** Keys of the notices without a command. */
export const noticeKeys: Readonly<Record<string, NoticeAction>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  j: 'next',
  k: 'previous',
  Home: 'first',
  End: 'last',
  Space: 'toggle',
  'Shift+R': 'all',
}
