import type { ControlProps } from '#portal/form/control.ts'
import { ListField } from '#portal/form/fields/list-field.tsx'
import { ReferenceField } from '#portal/form/fields/reference-field.tsx'
import { ReferencesField } from '#portal/form/fields/references-field.tsx'
import { SwitchField } from '#portal/form/fields/switch-field.tsx'

/** The kinds of field that are made with a library of their own. */
export function Chooser(props: ControlProps) {
  if (props.field.kind === 'references') return <ReferencesField {...props} />
  if (props.field.kind === 'reference') return <ReferenceField {...props} />
  return props.field.kind === 'switch' ? <SwitchField {...props} /> : <ListField {...props} />
}
