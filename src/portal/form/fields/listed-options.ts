import type { AnyEndpoint } from '#contract/define.ts'
import type { ListedBy } from '#contract/fields.ts'
import type { Field } from '#kernel/form.ts'
import { apiClient } from '#portal/api/client.ts'
import { useQuery } from '#portal/records/use-query.ts'

/** Requests in flight by address: two fields with the same options share one request. */
const underWay = new Map<string, Promise<unknown>>()

function ask({ call, query = {} }: ListedBy): Promise<unknown> {
  const address = `${call.path}?${new URLSearchParams(query)}`
  const asked = underWay.get(address) ?? apiClient.read(call as AnyEndpoint, {}, query).finally(() => underWay.delete(address))
  underWay.set(address, asked)
  return asked
}

/** A field with the options listed by the API; with its own until they arrive, or if the API has no such call. */
export function useListedOptions(field: Field): Field {
  const { listedBy } = field
  // On failure the field keeps its own options; the API refuses a value that it does not know.
  const { value: options } = useQuery(async () => listedBy?.options((await ask(listedBy)) as never), listedBy ? [listedBy] : null)
  return options ? { ...field, options } : field
}
