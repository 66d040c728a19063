import { mappingsNeed } from '#contract/mapping-calls.ts'
import { employer } from '#entities/employer.ts'
import { pathOf } from '#kernel/entity.ts'
import { defineScreen } from '#portal/ui/screen.ts'

/** `/employers/100101/new-mapping` */
export default defineScreen({
  title: 'New file mapping',
  needs: mappingsNeed,
  form: { command: 'employer.add-mapping', on: employer },
  back: (id) => `${pathOf(employer, id)}?tab=file-mapping`,
})
