import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { type AnyEntity, pathOf } from '#kernel/entity.ts'
import { focusRecord } from '#portal/keyboard/focus.ts'
import { openBeside } from '#portal/list/beside.ts'
import { keepingBeside, navigate } from '#portal/platform/location.ts'
import { useSide } from '#portal/record/side.ts'

/** A link to another record, which gets the focus: on its side of the page, with Ctrl+Enter beside the open record. */
export function RecordLink({ entity, id, children }: { entity: AnyEntity; id: number | string; children: ReactNode }) {
  const address = pathOf(entity, String(id))
  const side = useSide()
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    if (side === 'beside' && entity.pane) return openBeside(entity, String(id))
    navigate(keepingBeside(address))
    focusRecord()
  }
  const openApart = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !entity.pane) return
    event.preventDefault()
    openBeside(entity, String(id))
  }
  return (
    <a className="link" href={address} onClick={open} onKeyDown={openApart}>
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
