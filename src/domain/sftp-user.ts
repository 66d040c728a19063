/** Authentication methods of an SFTP user (SFT-004). */
export const sftpAuthentications = ['PASSWORD', 'SSH_KEY'] as const
export type SftpAuthentication = (typeof sftpAuthentications)[number]
export const sftpAuthenticationLabels: Readonly<Record<SftpAuthentication, string>> = { PASSWORD: 'Password', SSH_KEY: 'SSH key' }

/** Message for a username with other characters (SFT-002). */
export const usernameCharacters = 'Only letters, numbers and + - _'

/** Maximum length of a username. */
export const maxUsernameLength = 64

/** Whether a username has only letters, numbers and + - _ (SFT-002). */
export const isUsername = (text: string): boolean => /^[A-Za-z0-9+_-]+$/.test(text)
