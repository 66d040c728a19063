import { listEmployers } from '#contract/employers.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'employer.open',
  title: 'Jump to employer',
  aliases: ['go to employer', 'find employer', 'open employer'],
  icon: 'building',
  on: employer,
  reads: listEmployers,
  act: (desk, one) => desk.open(pathOf(employer, employer.id(one))),
})
