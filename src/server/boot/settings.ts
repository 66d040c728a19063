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

/** The settings of a process by the names of their environment variables; the README describes them for operators. */
export const Environment = z.object({
  PORT: whole(0, 65_535, 3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Where to listen for SFTP; without a port there is none. */
  SFTP_PORT: between(0, 65_535).optional(),
  SFTP_HOST: z.string().min(1).optional(),
  /** Public address of the SFTP server; by default the host of the portal. */
  SFTP_ADDRESS: z
    .string()
    .regex(/^[a-z\d.-]+:\d{1,5}$/i, 'must be a host and a port, such as files.example.com:22')
    .optional(),
  /** Seconds from the signal to stop until nothing is accepted any more, for a load balancer to notice. */
  DRAIN_SECONDS: whole(0, 60, 0),
  /** Where to serve `/metrics`; without a port there are none. */
  METRICS_PORT: between(0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('.data'),
  /** A PostgreSQL to use in place of the embedded one. */
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  /** The same database, as the role that owns the schema: it migrates, and creates the demo company. */
  MIGRATION_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  /** Standbys of that database, which answer reads. */
  READ_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  SEED: z.enum(['demo', 'none']).default('demo'),
  /** Number of employees of the demo company. */
  EMPLOYEES: whole(100, 5_000_000, 100_000),
  /** Minimum number of its invoices; by default as many as its pay periods give. */
  INVOICES: between(100, 5_000_000).optional(),
  BUSINESS_TIME_ZONE: z.string().refine(zoneIsKnown, 'is not a time zone such as America/New_York').default('America/New_York'),
  IDLE_MINUTES: whole(1, 720, 15),
  WARNING_SECONDS: whole(10, 3_600, 120),
  ABSOLUTE_HOURS: whole(1, 168, 8),
  ENVIRONMENT: z.enum(['local', 'staging', 'sandbox', 'development', 'production']).default('local'),
  /** Location of the API for the portal: a path of this origin, or another origin. */
  API_BASE: z
    .string()
    .regex(/^(\/[\w./-]*|https?:\/\/[^\s;,'"]+)$/, 'must be a path or an http address')
    .default('/api'),
  PUBLIC_APPLICATION_KEY: z.string().min(8).max(200).default('public-local'),
  /** Other origins whose portal calls this API. */
  PORTAL_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .refine((origins) => origins.every(isOrigin), 'name origins such as https://portal.example.com, with a comma between them'),
  /** Encrypts data that must not be readable in a stolen database: the secrets of authenticators. */
  APPLICATION_SECRET: z.string().min(32, 'must have at least 32 characters').max(1000).optional(),
  /** Public URL of the portal, for links in mail. */
  PUBLIC_URL: z
    .string()
    .regex(/^https?:\/\/\S+$/, 'must be an http address')
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  /** Key that a mail server sends with mails that carry files; without it none are accepted. */
  MAIL_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,100}$/, 'must have 16 to 100 characters, without blanks')
    .optional(),
  MAIL_FROM: z.string().min(3).default('Admin Portal <no-reply@example.com>'),
  /**
   * Proxies whose X-Forwarded-For is trusted, counted from the right end of the header: a number of them, or their addresses;
   * false for none. Entries further left, written by the caller, are ignored.
   */
  TRUST_PROXY: proxies,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('warn'),
})

type Read = z.output<typeof Environment>
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>
const camelCase = (name: string): string => name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** All external settings, validated once: those of the environment in camel case, and what follows from them. */
export type Settings = { [Name in keyof Read as CamelCase<Name>]: Read[Name] } & {
  /** Address to listen on for SFTP; null disables it. */
  sftp: { port: number; host: string } | null
  /** Absolute path of the folder with the embedded PostgreSQL. */
  dataFolder: string
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
  if (set.READ_DATABASE_URL && !set.DATABASE_URL)
    throw new CannotStart('READ_DATABASE_URL names standbys of the database in DATABASE_URL: set both, or neither.')
  const named = Object.fromEntries(Object.entries(set).map(([name, value]) => [camelCase(name), value]))
  return {
    ...(named as Omit<Settings, 'sftp' | 'dataFolder' | 'checkAnswers'>),
    sftp: set.SFTP_PORT === undefined ? null : { port: set.SFTP_PORT, host: set.SFTP_HOST ?? set.HOST },
    dataFolder: resolve(set.DATA_DIR),
    checkAnswers: env.NODE_ENV === 'test' || env.NODE_ENV === 'development',
  }
}
