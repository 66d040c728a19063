import { z } from 'zod'
import { employeeEvents } from '#domain/employee-event.ts'
import { all, anybody, byIntent } from '#domain/permissions.ts'
import {
  canApproveKyc,
  canChangeUser,
  canClearPhone,
  canConfigureDocuments,
  canDeleteUser,
  canDenyKyc,
  canReopenKyc,
  documentLabels,
  documentTypes,
  type DocumentType,
} from '#domain/user.ts'
import { action, type Call, endpoint, intent, type Undoing } from '#contract/define.ts'
import { choices, email, fieldMeta, idSchema, text, version } from '#contract/fields.ts'
import { User } from '#contract/users.ts'

const changing = all('write:users')

const call = { tag: 'Users', needs: changing, answer: User } as const

export const changeNames = action({
  ...call,
  method: 'PATCH',
  path: '/users/{id}/names',
  summary: 'Change the names of a user',
  id: 'user.change-names',
  body: z.object({ first_name: text('First name', 100), last_name: text('Last name', 100), version: version() }),
  event: employeeEvents.namesChanged,
  refuses: canChangeUser,
  undo: ({ id, version }: Undoing, { first_name, last_name }: { first_name: string; last_name: string }): Call =>
    changeNames({ id }, { first_name, last_name, version }),
})

/** The brand that the caller assumes for the user; sent as a header. */
const brand = z.string().min(1).max(100)
fieldMeta.add(brand, { kind: 'hidden', title: 'Brand' })

/** A user before a change: the record itself, or part of the employee whose record was read. */
type Before<Facts> = Facts & { user?: Facts | null }

/** Setting the current e-mail again cancels a pending change. */
export const changeEmail = action({
  ...call,
  method: 'PUT',
  path: '/users/{id}/update-email',
  summary: 'Change the e-mail of a user, who has to confirm it; the header names the brand of the user',
  headers: ['brand'],
  id: 'user.change-email',
  body: z.object({ email: email(), brand, version: version() }),
  event: employeeEvents.emailChanged,
  refuses: canChangeUser,
  undo: ({ id, version }: Undoing, before: { email: string; pending_email: string | null; brand: string }): Call =>
    changeEmail({ id }, { email: before.pending_email ?? before.email, brand: before.brand, version }),
})

/** The token of the link in the mail; its bearer can read the mail of that address. */
export const confirmEmail = endpoint({
  method: 'POST',
  path: '/users/confirm-email',
  summary: 'Confirm a new e-mail by what was mailed to it',
  tag: 'Users',
  body: z.object({ token: z.string().min(1).max(200) }),
  answer: z.object({}),
  needs: anybody,
  extension: true,
})

export const clearPhone = action({
  ...call,
  method: 'PATCH',
  path: '/users/{id}/clear-phone-number',
  summary: 'Remove the phone number of a user',
  id: 'user.clear-phone',
  body: z.object({ version: version() }),
  event: employeeEvents.phoneRemoved,
  refuses: canClearPhone,
})

export const softDelete = action({
  method: 'PATCH',
  path: '/users/{id}/deactivate',
  summary: 'Delete a user for good; the history stays',
  tag: 'Users',
  answer: User,
  id: 'user.delete',
  body: z.object({ version: version() }),
  needs: all('write:soft-delete'),
  event: employeeEvents.deactivated,
  refuses: canDeleteUser,
})

const ofKyc = z.object({ id: idSchema, kycId: idSchema })

/** The identity check before a change, for undo. */
interface KycBefore {
  kyc_id: number | null
  kyc_status: string | null
  kyc_reason: string | null
  document_types: readonly DocumentType[]
}

export const configureDocuments = action({
  ...call,
  method: 'POST',
  path: '/users/{id}/kyc/{kycId}/document-configurations',
  summary: 'Say which documents the identity check of a user asks for',
  params: ofKyc,
  id: 'user.configure-documents',
  body: z.object({ document_types: choices('Documents', documentTypes, documentLabels), version: version() }),
  event: employeeEvents.kycDetailsChanged,
  refuses: canConfigureDocuments,
  undo: (now: Undoing, before: Before<KycBefore>): Call | null => undoDocuments(before.user ?? before, now),
})

/** Requests the documents that were requested before; null if there were none, which cannot be requested. */
export const undoDocuments = (
  { kyc_id, document_types }: Pick<KycBefore, 'kyc_id' | 'document_types'>,
  { id, version }: { id: string | number; version: number },
): Call | null =>
  kyc_id === null || document_types.length === 0
    ? null
    : configureDocuments({ id, kycId: kyc_id }, { document_types: [...document_types], version })

export const reviewKyc = endpoint({
  method: 'POST',
  path: '/users/{id}/kyc/{kycId}/review',
  summary: 'Decide on the identity check of a user, or look at it again',
  tag: 'Users',
  params: ofKyc,
  answer: User,
  needs: byIntent,
  extension: true,
})

/** Restores the status of an identity check. */
export function undoReview(
  { kyc_id, kyc_status, kyc_reason }: KycBefore,
  { id, version }: { id: string | number; version: number },
): Call | null {
  if (kyc_id === null) return null
  const at = { id, kycId: kyc_id }
  if (kyc_status === 'APPROVED') return approveKyc(at, { version })
  if (kyc_status === 'DENIED') return denyKyc(at, { reason: kyc_reason ?? 'Undone', version })
  return kyc_status === 'UNDER_REVIEW' ? reopenKyc(at, { version }) : null
}

const undoing = { undo: (now: Undoing, before: Before<KycBefore>): Call | null => undoReview(before.user ?? before, now) }

export const approveKyc = intent(reviewKyc, {
  id: 'user.approve-kyc',
  body: z.object({ status: z.literal('APPROVED'), version: version() }),
  needs: changing,
  event: employeeEvents.kycDetailsChanged,
  refuses: canApproveKyc,
  ...undoing,
})

export const denyKyc = intent(reviewKyc, {
  id: 'user.deny-kyc',
  body: z.object({ status: z.literal('DENIED'), reason: text('Reason', 200), version: version() }),
  needs: changing,
  event: employeeEvents.kycDetailsChanged,
  refuses: canDenyKyc,
  ...undoing,
})

export const reopenKyc = intent(reviewKyc, {
  id: 'user.reopen-kyc',
  body: z.object({ status: z.literal('UNDER_REVIEW'), version: version() }),
  needs: changing,
  event: employeeEvents.kycDetailsChanged,
  refuses: canReopenKyc,
  ...undoing,
})
