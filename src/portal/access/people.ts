import { explainAccountManager, explainAdmin } from '#contract/access.ts'
import { accountManager } from '#entities/account-manager.ts'
import { admin } from '#entities/admin.ts'
import { session } from '#entities/session.ts'
import { withList } from '#entities/with-list.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** The kinds of people who are asked about, by the name of the noun, each with the call that answers. */
export const people: Readonly<
  Record<string, { entity: AnyEntity; explains: typeof explainAccountManager | typeof explainAdmin }>
> = {
  [accountManager.name]: { entity: accountManager, explains: explainAccountManager },
  [admin.name]: { entity: admin, explains: explainAdmin },
}

/** The nouns whose records are asked about: one's own sessions are nobody else's. */
export const nouns: readonly AnyEntity[] = withList.filter((entity) => entity !== session)

/** The path by which the API reads a record, `/employees/5`. */
export const recordPath = ({ get }: AnyEntity, id: string): string => get.path.replace(/\{\w+\}/, encodeURIComponent(id))
