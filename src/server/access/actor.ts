/** The person who sent a request, read again for every request. */
export interface Actor {
  /** uuid */
  id: string
  name: string
  email: string
  kind: 'ADMIN' | 'ACCOUNT_MANAGER'
  groupIds: readonly number[]
  /** Permission ids of groups and single grants combined. */
  held: ReadonlySet<number>
  sessionId: string
}

/** What decides which rows a person may see. */
export type Reader = Pick<Actor, 'id' | 'kind'>
