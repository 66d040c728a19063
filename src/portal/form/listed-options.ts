import { useEffect, useState } from 'react'
import type { AnyEndpoint } from '#contract/define.ts'
import type { ListedBy } from '#contract/fields.ts'
import type { Field } from '#kernel/form.ts'
import { apiClient } from '#portal/api/client.ts'

/** Calls that are under way, by address: two fields of a form whose options one call lists make it once. */
const underWay = new Map<string, Promise<unknown>>()

function ask({ call, query = {} }: ListedBy): Promise<unknown> {
  const address = `${call.path}?${new URLSearchParams(query)}`
  const asked = underWay.get(address) ?? apiClient.read(call as AnyEndpoint, {}, query).finally(() => underWay.delete(address))
  underWay.set(address, asked)
  return asked
}

/** A field with the options that the API lists. Until it has answered, and where it has no such call, with its own. */
export function useListedOptions(field: Field): Field {
  const { listedBy } = field
  const [listed, setListed] = useState<Field['options'] | null>(null)
  useEffect(() => {
    if (!listedBy) return
    let isOpen = true
    ask(listedBy).then(
      (answer) => isOpen && setListed(listedBy.options(answer as never)),
      // Its own options stay; a value that the API does not know is refused beside the field.
      () => {},
    )
    return () => {
      isOpen = false
    }
  }, [listedBy])
  return listed ? { ...field, options: listed } : field
}
