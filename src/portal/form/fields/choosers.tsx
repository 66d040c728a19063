import type { ComponentType } from 'react'
import type { FieldKind } from '#contract/fields.ts'
import type { ControlProps } from '#portal/form/fields/control.ts'
import { ChipsField } from '#portal/form/fields/chips-field.tsx'
import { FileField } from '#portal/form/fields/file-field.tsx'
import { ListField } from '#portal/form/fields/list-field.tsx'
import { PermissionsField } from '#portal/form/fields/permissions-field.tsx'
import { ReferenceField } from '#portal/form/fields/reference-field.tsx'
import { ReferencesField } from '#portal/form/fields/references-field.tsx'
import { SearchedListField } from '#portal/form/fields/searched-list-field.tsx'
import { SwitchField } from '#portal/form/fields/switch-field.tsx'

/** Maximum number of options that are listed without a search. */
const maxListed = 20

const drawn: Partial<Record<FieldKind, ComponentType<ControlProps>>> = {
  choice: (props) => (props.field.options.length > maxListed ? <SearchedListField {...props} /> : <ListField {...props} />),
  switch: SwitchField,
  reference: ReferenceField,
  references: ReferencesField,
  permissions: PermissionsField,
  chips: ChipsField,
  file: FileField,
}

/** Kinds of field that need a library of their own, or that few forms have. */
export function Chooser(props: ControlProps) {
  const Kind = drawn[props.field.kind] ?? ListField
  return <Kind {...props} />
}
