import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** Reasons for mails about a company. */
export const communicationKinds = ['DATA_EMAIL_ADDED', 'DATA_EMAIL_REMOVED', 'EWA_FILE_READY', 'IMPORT_FAILED'] as const
export type CommunicationKind = (typeof communicationKinds)[number]
export const communicationLabels: Readonly<Record<CommunicationKind, string>> = {
  DATA_EMAIL_ADDED: 'Data e-mail added',
  DATA_EMAIL_REMOVED: 'Data e-mail deleted',
  EWA_FILE_READY: 'EWA file ready',
  IMPORT_FAILED: 'File not imported',
}

/** FAILED: the mail server rejected every attempt, or there is none. */
export const communicationStates = states({
  QUEUED: ['Queued', 'wait'],
  SENT: ['Sent', 'good'],
  FAILED: ['Failed', 'bad'],
})
export type CommunicationState = StateOf<typeof communicationStates>

/** Refuses to resend a mail about files to an address that no longer gets any. */
export const validateRecipient = (
  one: { kind: CommunicationKind; recipient: string },
  still: readonly string[],
): Refusal | null =>
  one.kind === 'EWA_FILE_READY' && !still.includes(one.recipient)
    ? refuse('address-removed', `Mails about EWA files do not go to ${one.recipient} any more.`)
    : null

/** Months for which a mail about a company is kept (docs/rules/companies.md). */
export const communicationMonths = 13

/** Refuses to resend a mail that is still being sent. */
export const canResend = ({ state }: { state: string }): Refusal | null =>
  state === 'QUEUED' ? refuse('already-so', 'This mail is on its way already.') : null
