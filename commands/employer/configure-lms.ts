import { configurationCalls } from '#contract/configuration-calls.ts'
import { all } from '#domain/permissions.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employer.configure-lms',
  title: 'Edit employer LMS configuration',
  aliases: ['payment method', 'invoice terms', 'configure lms'],
  on: employer,
  reads: configurationCalls.read,
  needs: all('write:employers'),
  act: (host, one) => host.open(`${employer.path}/${employer.id(one)}/configuration#Invoicing`),
})
