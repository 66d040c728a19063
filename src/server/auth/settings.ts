import type { Settings } from '#server/boot/settings.ts'

/** Settings for sign-in and sessions from the environment, created once at start. */
export interface AuthSettings {
  /** The key required for GET credentials; not a secret. */
  publicApplicationKey: string
  /** Seconds without activity after which a session expires (CONST-013). */
  idleSeconds: number
  /** Seconds before expiry when the portal warns. */
  warningSeconds: number
  /** Seconds after which a session expires in any case. */
  absoluteSeconds: number
  passwordCost: PasswordCost
  /** URL of the portal for links in mail: `https://admin.example.com`, without a trailing slash. */
  portalAddress: string
  /** `smtp://user:password@host:587`; null leaves mail in the outbox. */
  smtpUrl: string | null
  /** Public address of the SFTP server; undefined without one. */
  sftpAddress?: { host: string; port: number } | undefined
  mailFrom: string
  /** Key that a mail server sends with mails that carry files; null if none are accepted. */
  mailKey: string | null
  /** Encrypts the secrets of authenticators. */
  sealingKey: Buffer
  /** True only with the demo seed: codes and mail are shown. */
  demo: boolean
}

/** Seconds that the clocks of two servers may differ; a time further ahead comes from a clock that was wrong. */
export const skewSeconds = 60

/** Cost of one Argon2id hash: memory in KiB, and passes over it. */
export interface PasswordCost {
  memory: number
  passes: number
}

/** The first recommendation for Argon2id in OWASP's password storage guide, with 19 MiB. */
export const passwordCost: PasswordCost = { memory: 19_456, passes: 2 }

/** Public address of the SFTP server: as configured, else the host of the portal and the port where this process listens. */
function sftpAddressOf({ sftp, sftpAddress, publicUrl, host }: Settings): AuthSettings['sftpAddress'] {
  const [set, port] = sftpAddress?.split(':') ?? []
  if (set) return { host: set, port: Number(port) }
  return sftp ? { host: publicUrl ? new URL(publicUrl).hostname : host, port: sftp.port } : undefined
}

/** The settings of the server that sign-in needs; `demo` says whether the database holds the demo company. */
export const authSettingsOf = (settings: Settings, demo: boolean): Omit<AuthSettings, 'sealingKey'> => ({
  passwordCost,
  publicApplicationKey: settings.publicApplicationKey,
  idleSeconds: settings.idleMinutes * 60,
  // The warning comes between start and end of even the shortest session.
  warningSeconds: Math.min(settings.warningSeconds, settings.idleMinutes * 30),
  absoluteSeconds: settings.absoluteHours * 60 * 60,
  portalAddress: (settings.publicUrl ?? `http://${settings.host}:${settings.port}`).replace(/\/+$/, ''),
  sftpAddress: sftpAddressOf(settings),
  smtpUrl: settings.smtpUrl ?? null,
  mailFrom: settings.mailFrom,
  mailKey: settings.mailKey ?? null,
  demo,
})
