import { mappingsNeed } from '#contract/mapping-calls.ts'
import { employer } from '#entities/employer.ts'
import { pathOf } from '#kernel/entity.ts'
import { later } from '#portal/ui/later.tsx'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/employers/100101/new-mapping` */
export default defineScreen({
  title: 'New file mapping',
  needs: mappingsNeed,
  form: { command: 'employer.add-mapping', on: employer },
  beside: later(async () => (await import('#portal/nouns/mappings/sample-panel.tsx')).SamplePanel),
  back: (id) => `${pathOf(employer, id)}?tab=file-mapping`,
})
