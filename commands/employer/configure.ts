import { configurationCalls } from '#contract/configuration-calls.ts'
import { all } from '#domain/permissions.ts'
import { configurationAliases } from '#entities/forms/configuration-words.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employer.configure',
  title: 'Edit employer configuration',
  aliases: ['configure employer', ...configurationAliases],
  on: employer,
  reads: configurationCalls.read,
  needs: all('write:employers'),
  keys: [{ scope: 'row', chord: 'c' }],
  act: (host, one) => host.open(`${employer.path}/${employer.id(one)}/configuration`),
})
