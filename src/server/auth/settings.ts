import type { Settings } from '#server/boot/settings.ts'

/** Settings for sign-in and sessions from the environment, created once at start. */
export interface AuthSettings {
  /** What GET credentials must be called with; not a secret. */
  publicApplicationKey: string
  /** Seconds without activity after which a session is over (CONST-013). */
  idleSeconds: number
  /** Seconds before that at which the portal warns. */
  warningSeconds: number
  /** Seconds after which a session is over in any case. */
  absoluteSeconds: number
  passwordCost: PasswordCost
  /** Where the portal is, for links in mail: `https://admin.example.com`, no slash at the end. */
  portalAddress: string
  /** `smtp://user:password@host:587`; null leaves mail in the outbox. */
  smtpUrl: string | null
  /** Where customers reach the SFTP server; without it nobody listens for them. */
  sftpAddress?: { host: string; port: number } | undefined
  mailFrom: string
  /** What a mail server hands mails with files on with; null where none are taken. */
  mailKey: string | null
  /** Seals the secrets of authenticators. */
  sealingKey: Buffer
  /** True only when the demo seed was used: codes and mail are shown. */
  demo: boolean
}

/** Seconds that the clocks of two servers may differ; what is further ahead was left behind by a clock that was wrong. */
export const skewSeconds = 60

/** Cost of one Argon2id hash: memory in KiB, and passes over it. */
export interface PasswordCost {
  memory: number
  passes: number
}

/** The defaults; the cost is the one OWASP's password storage guide names first for Argon2id with 19 MiB. */
export const authDefaults: Omit<AuthSettings, 'sealingKey'> = {
  publicApplicationKey: 'public-local',
  idleSeconds: 15 * 60,
  warningSeconds: 2 * 60,
  absoluteSeconds: 8 * 60 * 60,
  passwordCost: { memory: 19_456, passes: 2 },
  portalAddress: 'http://127.0.0.1:3000',
  smtpUrl: null,
  mailFrom: 'Admin Portal <no-reply@example.com>',
  mailKey: null,
  demo: false,
}

/** Where customers reach the SFTP server: as it is set, else by the host of the portal and the port that is listened at. */
function sftpAddressOf({ sftp, sftpAddress, publicUrl, host }: Settings): AuthSettings['sftpAddress'] {
  if (!sftp) return undefined
  const [set, port] = sftpAddress?.split(':') ?? []
  return { host: set ?? (publicUrl ? new URL(publicUrl).hostname : host), port: Number(port ?? sftp.port) }
}

/** The part of the server's settings that sign-in reads; `demo` says whether the database holds the demo company. */
export const authSettingsOf = (settings: Settings, demo: boolean): Omit<AuthSettings, 'sealingKey'> => ({
  ...authDefaults,
  publicApplicationKey: settings.publicApplicationKey,
  idleSeconds: settings.idleMinutes * 60,
  // The warning comes after the start and before the end, however short a session is.
  warningSeconds: Math.min(settings.warningSeconds, settings.idleMinutes * 30),
  absoluteSeconds: settings.absoluteHours * 60 * 60,
  portalAddress: (settings.publicUrl ?? `http://${settings.host}:${settings.port}`).replace(/\/+$/, ''),
  sftpAddress: sftpAddressOf(settings),
  smtpUrl: settings.smtpUrl ?? null,
  mailFrom: settings.mailFrom,
  mailKey: settings.mailKey ?? null,
  demo,
})
