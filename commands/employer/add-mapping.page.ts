import type { Employer } from '#contract/employers.ts'
import {
  createConfirmationMapping,
  createDeductionMapping,
  createEmployeeMapping,
  createTimekeepingMapping,
  mappingChanges,
} from '#contract/mappings.ts'
import { employer } from '#entities/employer.ts'
import { isConfigured, type MappingFacts, mappingForm, type MappingParams } from '#entities/pages/mapping-form.ts'
import { definePageForm } from '#kernel/page-form.ts'

export default definePageForm<Employer, MappingFacts, MappingParams>({
  id: 'employer.add-mapping',
  title: 'Add file mapping',
  on: employer,
  does: [createEmployeeMapping, createTimekeepingMapping, createDeductionMapping, createConfirmationMapping],
  makes: true,
  form: mappingForm,
  facts: async ({ id }, read) => ({ employer_id: id, configured: await isConfigured(read, id) }),
  saved: () => ({ columns: [] }),
  plan: (_, { kind, ...values }, { employer_id }) => [mappingChanges[kind].create({}, { employer_id, ...values })],
  opens: (one) => `${employer.path}/${employer.id(one)}?tab=file-mapping`,
  done: (one) => `Added a file mapping to ${employer.title(one)}`,
})
