import { z } from 'zod'
import { choice, required } from '#contract/fields.ts'
import { integrationFields } from '#contract/integrations.ts'
import { validateIntegration } from '#domain/integration.ts'

/** All channels of incoming data in one choice; SFTP is split into our server and the customer's. */
const channels = ['API', 'EMAIL', 'SFTP_INTERNAL', 'SFTP_EXTERNAL', 'CSV'] as const
type Channel = (typeof channels)[number]
const channelLabels: Readonly<Record<Channel, string>> = {
  API: 'API',
  EMAIL: 'E-mail',
  SFTP_INTERNAL: 'SFTP, internal',
  SFTP_EXTERNAL: 'SFTP, external',
  CSV: 'CSV',
}

const { type: _, sftp_type: __, import_types, ...fields } = integrationFields
const shape = z.object({ import_types, channel: choice('Type', channels, channelLabels), ...fields })
export type IntegrationParams = z.input<typeof shape>

/** The form's values as the body of the call. */
export function integrationBody<Typed extends { channel: Channel }>({ channel, ...typed }: Typed) {
  if (channel === 'SFTP_INTERNAL') return { ...typed, type: 'SFTP', sftp_type: 'INTERNAL' } as const
  return channel === 'SFTP_EXTERNAL'
    ? ({ ...typed, type: 'SFTP', sftp_type: 'EXTERNAL' } as const)
    : ({ ...typed, type: channel } as const)
}

/** The form of new integrations, one per import; it has the same rules as the server. */
export const integrationForm = shape.superRefine((typed, context) => {
  for (const { path, message } of validateIntegration(integrationBody(typed), required))
    context.addIssue({ code: 'custom', path: [path], message })
})
