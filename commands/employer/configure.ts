import { configurationCalls } from '#contract/configuration-calls.ts'
import { all } from '#domain/permissions.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employer.configure',
  title: 'Edit employer configuration',
  aliases: [
    'configure employer',
    'settings',
    'withdraw limit',
    'transaction fee',
    'fee',
    'fees',
    'limits',
    'change limit',
    'increase limit',
    'raise limit',
  ],
  on: employer,
  reads: configurationCalls.read,
  needs: all('write:employers'),
  keys: [{ scope: 'row', chord: 'c' }],
  act: (host, one) => host.open(`${employer.path}/${employer.id(one)}/configuration`),
})
