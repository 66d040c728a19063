import { z } from 'zod'
import { mappingKinds } from '#domain/mapping-fields.ts'
import { all, any } from '#domain/permissions.ts'
import {
  isUsername,
  maxUsernameLength,
  sftpAuthenticationLabels,
  sftpAuthentications,
  usernameCharacters,
} from '#domain/sftp-user.ts'
import { sshKeyProblem } from '#domain/ssh-key.ts'
import { newPassword } from '#contract/authentication.ts'
import { action, endpoint } from '#contract/define.ts'
import { choice, fieldMeta, idSchema, reference, required, secret, version } from '#contract/fields.ts'
import { choiceFilter, referenceFilter } from '#contract/filter.ts'
import { listings } from '#contract/listings.ts'
import { byIds, resource } from '#contract/resource.ts'

const reading = any('read:employers', 'read:organizations')
const needs = all('write:integrations')

/** A user who may upload and download files of an organization by SFTP (ENT-125 to ENT-127). Passwords are never returned. */
export const SftpUser = z.object({
  id: z.int(),
  organization_id: z.int(),
  organization_name: z.string(),
  username: z.string(),
  authentication: z.enum(sftpAuthentications),
  /** In OpenSSH format; null with a password. */
  ssh_key: z.string().nullable(),
  ssh_key_type: z.string().nullable(),
  ssh_key_fingerprint: z.string().nullable(),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  updated_at: z.iso.datetime(),
  version: z.int(),
})
export type SftpUser = z.infer<typeof SftpUser>

export const sftpUserFilters = [
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  choiceFilter({ id: 'authentication', title: 'Authentication', values: sftpAuthentications, labels: sftpAuthenticationLabels }),
] as const

export const sftpUserSorts = ['username', 'id', 'organization', 'created_at', 'updated_at'] as const

export const {
  list: listSftpUsers,
  count: countSftpUsers,
  get: getSftpUser,
  history: listSftpUserEvents,
} = resource(listings.sftpUsers, {
  one: 'SFTP user',
  many: 'SFTP users',
  tag: 'Integrations',
  row: SftpUser,
  rows: 'sftp_users',
  filters: sftpUserFilters,
  sorts: sftpUserSorts,
  specified: ['organization-id'],
  narrowing: byIds,
})

/** Connection details for the customer, and the last sign-ins. */
export const SftpUserAccess = z.object({
  address: z.object({ host: z.string(), port: z.int() }).nullable(),
  host_keys: z.array(z.object({ type: z.string(), fingerprint: z.string() })),
  file_names: z.array(z.object({ file_name: z.string(), employer_name: z.string(), kind: z.enum(mappingKinds) })),
  /** With the network address; null before the first sign-in. */
  last_sign_in: z.object({ at: z.iso.datetime(), from: z.string() }).nullable(),
  /** Since then; null if none failed. */
  failed_attempts: z.object({ count: z.int(), last_at: z.iso.datetime(), reason: z.string() }).nullable(),
})
export type SftpUserAccess = z.infer<typeof SftpUserAccess>

export const getSftpUserAccess = endpoint({
  method: 'GET',
  path: '/sftp-users/{id}/access',
  summary: 'What a customer needs to know to send files as an SFTP user, and how signing in went',
  tag: 'Integrations',
  answer: SftpUserAccess,
  needs: reading,
  extension: true,
})

const username = z
  .string({ error: required })
  .trim()
  .min(1, { error: required, abort: true })
  .max(maxUsernameLength, `At most ${maxUsernameLength} characters`)
  .refine(isUsername, usernameCharacters)
fieldMeta.add(username, { kind: 'text', title: 'Username', help: usernameCharacters })

const sshKey = z
  .string({ error: required })
  .trim()
  .min(1, { error: required, abort: true })
  .max(10_000, { error: 'At most 10,000 characters', abort: true })
  .superRefine((key, context) => {
    const message = sshKeyProblem(key)
    if (message) context.addIssue({ code: 'custom', message })
  })
fieldMeta.add(sshKey, {
  kind: 'text',
  title: 'SSH public key',
  lines: true,
  unkept: true,
  needed: true,
  help: 'As OpenSSH writes it, in one line: ssh-ed25519 AAAA…',
  when: { field: 'authentication', is: 'SSH_KEY' },
})

/** Authentication: a password or a key, one of which is required (SFT-003, SFT-004). */
export const sftpAuthenticationFields = {
  authentication: choice('Authentication', sftpAuthentications, sftpAuthenticationLabels),
  password: secret('Password', newPassword, {
    needed: true,
    makes: true,
    when: { field: 'authentication', is: 'PASSWORD' },
    help: 'It is shown here only, and never again.',
  }).optional(),
  ssh_key: sshKey.optional(),
}

const call = { tag: 'Integrations', needs, answer: SftpUser } as const

export const createSftpUser = action({
  ...call,
  method: 'POST',
  path: '/sftp-users',
  summary: 'Create an SFTP user of an organization',
  query: z.object({ 'organization-id': idSchema.optional() }),
  specified: ['organization-id'],
  parameters: ['organization_id'],
  status: 201,
  id: 'sftp-user.create',
  body: z.object({
    organization_id: reference('Organization', 'organization'),
    username,
    ...sftpAuthenticationFields,
  }),
  event: 'Created',
})

export const changeSftpUser = action({
  ...call,
  method: 'PATCH',
  path: '/sftp-users/{id}',
  summary: 'Give an SFTP user another password or SSH key; the one before is worth nothing from then on',
  id: 'sftp-user.change',
  body: z.object({ ...sftpAuthenticationFields, version: version() }),
  event: 'Authentication changed',
})

export const deleteSftpUser = action({
  ...call,
  method: 'DELETE',
  path: '/sftp-users/{id}',
  summary: 'Delete an SFTP user; answers what it was',
  id: 'sftp-user.delete',
  body: z.object({ version: version() }),
  event: 'Deleted',
})
