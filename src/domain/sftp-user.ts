/** How an SFTP user proves who it is (SFT-004). */
export const sftpAuthentications = ['PASSWORD', 'SSH_KEY'] as const
export type SftpAuthentication = (typeof sftpAuthentications)[number]
export const sftpAuthenticationLabels: Readonly<Record<SftpAuthentication, string>> = { PASSWORD: 'Password', SSH_KEY: 'SSH key' }

/** Said of a username with other characters (SFT-002). */
export const usernameCharacters = 'Only letters, numbers and + - _'

/** Characters of a username. */
export const maxUsernameLength = 64

/** Whether a username has letters, numbers and + - _ only (SFT-002). */
export const isUsername = (text: string): boolean => /^[A-Za-z0-9+_-]+$/.test(text)
