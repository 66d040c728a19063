import {
  editConfirmationMapping,
  editDeductionMapping,
  editEmployeeMapping,
  editTimekeepingMapping,
  type Mapping,
  mappingChanges,
  mappingLists,
} from '#contract/mappings.ts'
import { mappingNotFound } from '#domain/import.ts'
import { mapping } from '#entities/mapping.ts'
import { isConfigured, type MappingFacts, mappingForm, type MappingParams, mappingSaved } from '#entities/pages/mapping-form.ts'
import { definePageForm } from '#kernel/page-form.ts'
import { Refusal } from '#kernel/api-client.ts'

export default definePageForm<Mapping, Mapping & MappingFacts, MappingParams>({
  id: 'mapping.edit',
  title: 'Edit file mapping',
  on: mapping,
  does: [editEmployeeMapping, editTimekeepingMapping, editDeductionMapping, editConfirmationMapping],
  form: mappingForm,
  // Reads the list of its kind, which every API of the specification supports.
  facts: async (one, read) => {
    const { mappings } = await read(mappingLists[one.kind], {}, { 'employer-id': String(one.employer_id) })
    const now = mappings.find(({ id }) => id === one.id)
    if (!now) throw new Refusal({ type: 'about:blank', title: mappingNotFound, status: 404, code: 'not-found' })
    return { ...now, configured: await isConfigured(read, now.employer_id) }
  },
  saved: mappingSaved,
  fixed: () => ['kind'],
  plan: ({ id }, { kind, ...values }, { version }) => [mappingChanges[kind].edit({ id }, { ...values, version })],
  done: (one) => `Changed the file mapping ${mapping.title(one)}`,
})
