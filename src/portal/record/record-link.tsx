import type { MouseEvent, ReactNode } from 'react'
import { type AnyEntity, pathOf } from '#kernel/entity.ts'
import { focusRecord } from '#portal/keyboard/focus.ts'
import { navigate } from '#portal/platform/location.ts'

/** A link to another record, which gets the focus. */
export function RecordLink({ entity, id, children }: { entity: AnyEntity; id: number | string; children: ReactNode }) {
  const address = pathOf(entity, String(id))
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    navigate(address)
    focusRecord()
  }
  return (
    <a className="link" href={address} onClick={open}>
      {children}
    </a>
  )
}

/** A link to another record, as the value of a fact. */
export const linkTo = (entity: AnyEntity, id: number | string, title: string): ReactNode => (
  <RecordLink entity={entity} id={id}>
    {title}
  </RecordLink>
)
