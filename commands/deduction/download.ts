import { downloadDeductionFile } from '#contract/deductions.ts'
import { deduction } from '#entities/deduction.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'deduction.download',
  title: 'Download EWA file',
  aliases: ['deduction file', 'download deduction file', 'save deduction file'],
  on: deduction,
  reads: downloadDeductionFile,
  button: 'Download file',
  keys: [{ scope: 'row', chord: 'w' }],
  act: (host, one) => host.save(downloadDeductionFile, { id: one.id }),
  done: (one) => `Downloaded the EWA file of ${one.invoice_number}`,
})
