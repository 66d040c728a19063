import { useEffect, useState } from 'react'
import type { AnyEndpoint } from '#contract/define.ts'
import type { ListedBy } from '#contract/fields.ts'
import type { Field } from '#kernel/form.ts'
import { apiClient } from '#portal/api/client.ts'

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
  const [listed, setListed] = useState<Field['options'] | null>(null)
  useEffect(() => {
    if (!listedBy) return
    let isOpen = true
    ask(listedBy).then(
      (answer) => isOpen && setListed(listedBy.options(answer as never)),
      // The field keeps its own options; the API refuses a value that it does not know.
      () => {},
    )
    return () => {
      isOpen = false
    }
  }, [listedBy])
  return listed ? { ...field, options: listed } : field
}
