/** The person a request comes from, read anew at every request. */
export interface Actor {
  /** uuid */
  id: string
  name: string
  email: string
  kind: 'ADMIN' | 'ACCOUNT_MANAGER'
  groupIds: readonly number[]
  /** Permission ids of groups and single grants together. */
  held: ReadonlySet<number>
  sessionId: string
}
