import { mappingsNeed } from '#contract/mapping-calls.ts'
import { employer } from '#entities/employer.ts'
import { mapping } from '#entities/mapping.ts'
import { later } from '#portal/ui/later.tsx'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/mappings/70001/edit` */
export default defineScreen({
  title: 'File mapping',
  needs: mappingsNeed,
  form: { command: 'mapping.edit', on: mapping },
  beside: later(async () => (await import('#portal/nouns/mappings/sample-panel.tsx')).SamplePanel),
  back: (_, known) => {
    const { data } = mapping.schema.safeParse(known)
    return data ? `${employer.path}/${data.employer_id}?tab=file-mapping` : employer.path
  },
})
