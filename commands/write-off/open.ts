import { listWriteOffs } from '#contract/write-offs.ts'
import { writeOff } from '#entities/write-off.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'write-off.open',
  title: 'Jump to write-off',
  aliases: ['go to write-off', 'find write-off', 'open write-off'],
  icon: 'write-off',
  on: writeOff,
  reads: listWriteOffs,
  act: (desk, one) => desk.open(pathOf(writeOff, writeOff.id(one))),
})
