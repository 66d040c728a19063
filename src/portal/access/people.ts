import { explainAccountManager, explainAdmin } from '#contract/access.ts'
import { accountManager } from '#entities/account-manager.ts'
import { admin } from '#entities/admin.ts'
import { session } from '#entities/session.ts'
import { withList } from '#entities/with-list.ts'
import type { AnyEntity } from '#kernel/entity.ts'

/** The kinds of people that can be asked about, by the name of the noun, each with its endpoint. */
export const people: Readonly<
  Record<string, { entity: AnyEntity; explains: typeof explainAccountManager | typeof explainAdmin }>
> = {
  [accountManager.name]: { entity: accountManager, explains: explainAccountManager },
  [admin.name]: { entity: admin, explains: explainAdmin },
}

/** The nouns whose records can be asked about; not sessions, which only their own user sees. */
export const nouns: readonly AnyEntity[] = withList.filter((entity) => entity !== session)

/** The path at which the API reads a record, `/employees/5`. */
export const recordPath = ({ get }: AnyEntity, id: string): string => get.path.replace(/\{\w+\}/, encodeURIComponent(id))
