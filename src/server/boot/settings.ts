import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { decimal } from '#contract/fields.ts'
import '#contract/sentences.ts'
import { CannotStart } from '#server/cannot-start.ts'

const zoneIsKnown = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** The names in `proxy-addr` for addresses of this machine, this link or this network. */
const ownNetworks = ['loopback', 'linklocal', 'uniquelocal']

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (more.length > 0 || family === 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
}

/** Trusted proxies: none, a number of them, or a list of addresses. */
const proxies = z
  .string()
  .default('0')
  .transform((text) => (text === 'false' ? '0' : text).split(',').map((part) => part.trim()))
  .refine(
    ([one = '', ...more]) =>
      (more.length === 0 && /^\d$/.test(one)) || [one, ...more].every((each) => ownNetworks.includes(each) || isNetwork(each)),
    'say how many proxies stand in front (1 to 9), or their addresses, such as 10.0.0.0/8,127.0.0.1',
  )
  .transform((parts) => (/^\d$/.test(parts[0] ?? '') ? Number(parts[0]) || false : parts))

/** Scheme, host and port, as browsers send them. */
const isOrigin = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

const between = (from: number, to: number) => decimal(`a whole number from ${from} to ${to}`, from, to)
const whole = (from: number, to: number, unless: number) => between(from, to).default(unless)

export const Environment = z.object({
  PORT: whole(0, 65_535, 3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  SFTP_PORT: between(0, 65_535).optional(),
  SFTP_HOST: z.string().min(1).optional(),
  SFTP_ADDRESS: z
    .string()
    .regex(/^[a-z\d.-]+:\d{1,5}$/i, 'must be a host and a port, such as files.example.com:22')
    .optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  MIGRATION_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  SEED: z.enum(['demo', 'none']).default('demo'),
  EMPLOYEES: whole(100, 5_000_000, 100_000),
  INVOICES: between(100, 5_000_000).optional(),
  BUSINESS_TIME_ZONE: z.string().refine(zoneIsKnown, 'is not a time zone such as America/New_York').default('America/New_York'),
  IDLE_MINUTES: whole(1, 720, 15),
  WARNING_SECONDS: whole(10, 3_600, 120),
  ABSOLUTE_HOURS: whole(1, 168, 8),
  ENVIRONMENT: z.enum(['local', 'staging', 'sandbox', 'development', 'production']).default('local'),
  API_BASE: z
    .string()
    .regex(/^(\/[\w./-]*|https?:\/\/[^\s;,'"]+)$/, 'must be a path or an http address')
    .default('/api'),
  PUBLIC_APPLICATION_KEY: z.string().min(8).max(200).default('public-local'),
  PORTAL_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .refine((origins) => origins.every(isOrigin), 'name origins such as https://portal.example.com, with a comma between them'),
  APPLICATION_SECRET: z.string().min(32, 'must have at least 32 characters').max(1000).optional(),
  PUBLIC_URL: z
    .string()
    .regex(/^https?:\/\/\S+$/, 'must be an http address')
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,100}$/, 'must have 16 to 100 characters, without blanks')
    .optional(),
  MAIL_FROM: z.string().min(3).default('Admin Portal <no-reply@example.com>'),
  TRUST_PROXY: proxies,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
})

/** All external settings, validated once. */
export interface Settings {
  port: number
  host: string
  /** Address to listen on for SFTP; null disables it. */
  sftp: { port: number; host: string } | null
  /** Public address of the SFTP server, `files.example.com:22`; by default the host of the portal. */
  sftpAddress: string | undefined
  /** Absolute path of the folder with the embedded PostgreSQL. */
  dataFolder: string
  /** A PostgreSQL to use in place of the embedded one. */
  databaseUrl: string | undefined
  /** The same database, as the role that owns the schema: it migrates, and creates the demo company. */
  migrationUrl: string | undefined
  seed: 'demo' | 'none'
  /** Number of employees of the demo company. */
  employees: number
  /** Minimum number of its invoices; by default as many as its pay periods give. */
  invoices: number | undefined
  businessTimeZone: string
  idleMinutes: number
  warningSeconds: number
  absoluteHours: number
  environment: 'local' | 'staging' | 'sandbox' | 'development' | 'production'
  /** Location of the API for the portal: a path of this origin, or another origin. */
  apiBase: string
  publicApplicationKey: string
  /** Other origins whose portal calls this API. */
  portalOrigins: readonly string[]
  /** Encrypts data that must not be readable in a stolen database: the secrets of authenticators. */
  applicationSecret: string | undefined
  /** Public URL of the portal, for links in mail. */
  publicUrl: string | undefined
  smtpUrl: string | undefined
  mailFrom: string
  /** Key that a mail server sends with mails that carry files; without it none are accepted. */
  mailKey: string | undefined
  /**
   * Proxies whose X-Forwarded-For is trusted, counted from the right end of the header: a number of them, or their addresses;
   * false for none. Entries further left, written by the caller, are ignored.
   */
  trustProxy: number | string[] | false
  logLevel: string
  /** Validates every answer against the contract: in tests and development. */
  checkAnswers: boolean
}

/** Whether only this machine can reach that address. */
export const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', 'localhost'].includes(host)

/** Reads the settings from environment variables; throws CannotStart with one sentence. */
export function settingsFrom(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.keys(Environment.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const read = Environment.safeParse(given)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new CannotStart(
      `The setting ${issue?.path.join('.')} cannot be '${given[String(issue?.path[0])]}': ${issue?.message.replace(/\.$/, '')}.`,
    )
  }
  const set = read.data
  if (set.SEED === 'demo' && !isLoopback(set.HOST))
    throw new CannotStart('The demo shows its own sign-in codes and listens on 127.0.0.1 only: leave HOST out, or set SEED=none.')
  if (set.MIGRATION_DATABASE_URL && !set.DATABASE_URL)
    throw new CannotStart('MIGRATION_DATABASE_URL goes with DATABASE_URL: set both, or neither to use the embedded PostgreSQL.')
  return {
    port: set.PORT,
    host: set.HOST,
    sftp: set.SFTP_PORT === undefined ? null : { port: set.SFTP_PORT, host: set.SFTP_HOST ?? set.HOST },
    sftpAddress: set.SFTP_ADDRESS,
    dataFolder: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    migrationUrl: set.MIGRATION_DATABASE_URL,
    seed: set.SEED,
    employees: set.EMPLOYEES,
    invoices: set.INVOICES,
    businessTimeZone: set.BUSINESS_TIME_ZONE,
    idleMinutes: set.IDLE_MINUTES,
    warningSeconds: set.WARNING_SECONDS,
    absoluteHours: set.ABSOLUTE_HOURS,
    environment: set.ENVIRONMENT,
    apiBase: set.API_BASE,
    publicApplicationKey: set.PUBLIC_APPLICATION_KEY,
    portalOrigins: set.PORTAL_ORIGINS,
    applicationSecret: set.APPLICATION_SECRET,
    publicUrl: set.PUBLIC_URL,
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM,
    mailKey: set.MAIL_KEY,
    trustProxy: set.TRUST_PROXY,
    logLevel: set.LOG_LEVEL,
    checkAnswers: env.NODE_ENV === 'test' || env.NODE_ENV === 'development',
  }
}
