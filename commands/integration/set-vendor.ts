import { z } from 'zod'
import { type Integration, setVendor } from '#contract/integrations.ts'
import { integration } from '#entities/integration.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object({ vendor: setVendor.body.shape.vendor })

export default defineCommand<Integration, typeof setVendor, z.input<typeof form>>({
  id: 'integration.set-vendor',
  title: 'Set vendor of integration',
  aliases: ['change vendor'],
  icon: 'edit',
  on: integration,
  does: setVendor,
  keys: [{ scope: 'row', chord: 'e' }],
  form: { schema: form, start: (one) => (one?.vendor ? { vendor: one.vendor } : {}) },
  plan: (one, { vendor }) => [setVendor({}, { vendor, integration_ids: [one.id], expected: { [one.id]: one.version } })],
  undo: ({ before, after }) =>
    before.vendor === null
      ? null
      : [setVendor({}, { vendor: before.vendor, integration_ids: [after.id], expected: { [after.id]: after.version } })],
  done: (one) => `Set the vendor of ${integration.title(one)}`,
})
