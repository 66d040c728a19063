import { type MappingKind, mappingKindLabels } from '#domain/mapping-fields.ts'

/** Why an SFTP user's sign-in attempt failed. */
export const sftpFailures = {
  PASSWORD: 'Wrong password',
  KEY: 'Another key than the one that is set',
  METHOD: 'A password, though a key is set',
} as const
export type SftpFailure = keyof typeof sftpFailures

/** What a customer needs to know to send files by SFTP. */
export interface SftpAccess {
  /** Null if this server does not accept files by SFTP. */
  address: { host: string; port: number } | null
  host_keys: readonly { type: string; fingerprint: string }[]
  file_names: readonly { file_name: string; employer_name: string; kind: MappingKind }[]
}

/** Hint about the folder: what it contains, and that files leave it. */
export const sftpFolder = 'Put files into the folder / that you see after signing in. EWA files are in the folder out.'
export const sftpFilesLeave = 'A file disappears from the folder once it was taken: that is the sign that it arrived.'

/** Text to send to a customer, line by line. A password is sent separately. */
export function sftpAccessText(
  user: { username: string; organization_name: string; authentication: 'PASSWORD' | 'SSH_KEY' },
  { address, host_keys, file_names }: SftpAccess,
): string {
  return [
    `SFTP access for ${user.organization_name}`,
    ...(address ? [`Host: ${address.host}`, `Port: ${address.port}`] : []),
    `Username: ${user.username}`,
    `Sign in with: ${user.authentication === 'PASSWORD' ? 'the password, which you receive separately' : 'your SSH key'}`,
    ...host_keys.map(({ type, fingerprint }) => `Host key: ${type} ${fingerprint}`),
    ...file_names.map(
      ({ file_name, employer_name, kind }) =>
        `File name: ${file_name} (${mappingKindLabels[kind].toLowerCase()}, ${employer_name})`,
    ),
    sftpFolder,
    sftpFilesLeave,
  ].join('\n')
}
