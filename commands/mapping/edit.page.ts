import {
  editConfirmationMapping,
  editDeductionMapping,
  editEmployeeMapping,
  editTimekeepingMapping,
  getMapping,
  type Mapping,
  mappingChanges,
} from '#contract/mappings.ts'
import { mapping } from '#entities/mapping.ts'
import { mappingForm, type MappingParams, mappingSaved } from '#entities/pages/mapping-form.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<Mapping, Mapping, MappingParams>({
  id: 'mapping.edit',
  title: 'Edit file mapping',
  on: mapping,
  does: [editEmployeeMapping, editTimekeepingMapping, editDeductionMapping, editConfirmationMapping],
  form: mappingForm,
  facts: (one, read) => read(getMapping, { id: one.id }),
  saved: mappingSaved,
  fixed: () => ['kind'],
  plan: ({ id }, { kind, ...values }, { version }) => [mappingChanges[kind].edit({ id }, { ...values, version })],
  done: (one) => `Changed the file mapping ${mapping.title(one)}`,
  failed: (one) => `Something went wrong changing the file mapping ${mapping.title(one)}`,
})
