import { atId } from '#contract/define.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { Wire } from '#kernel/wire.ts'
import { wire } from '#portal/api/client.ts'

/** Asks the API for one thing by its id. Throws `Refusal` or `Unanswered`. */
export const readOne = ({ get }: AnyEntity, id: string, options?: Parameters<Wire['read']>[3]): Promise<unknown> =>
  wire.read(get, atId(get, id), undefined, options)
