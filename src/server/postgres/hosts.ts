import { Client } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'

/** A host and port of PostgreSQL; without them the defaults of the driver apply. */
export interface Host {
  host: string
  port: number
}

/** An address of PostgreSQL, of which libpq allows several hosts. */
export interface Address {
  /** The address with the first host only, as the driver reads it. */
  url: string
  /** The hosts to look for the primary on; none if the address names one host without `target_session_attrs`. */
  hosts: readonly Host[]
}

const defaultPort = 5432
const attribute = 'target_session_attrs'
/** What an address is for: changes, or reads on standbys. */
type Purpose = 'changes' | 'reads'
/**
 * Values of `target_session_attrs` by purpose, without a difference between them: the server itself asks every host for changes
 * whether it takes them, and every standby how current it is. libpq's default, `any`, is therefore accepted for both.
 */
const accepted: Record<Purpose, readonly string[]> = {
  changes: ['read-write', 'primary', 'any'],
  reads: ['prefer-standby', 'standby', 'read-only', 'any'],
}
/** Milliseconds within which a host has to say whether it takes changes. */
const probeTimeout = 3_000

/** Scheme, user and password, hosts, and the rest of an address. */
const parts = /^(\w+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/s

/** An address without its password and parameters, for messages. */
export function nameOf(address: string): string {
  const [, , , names = '', rest = ''] = parts.exec(address) ?? []
  return `${names}${rest.replace(/\?.*/s, '')}`
}

/**
 * Reads `postgres://user:password@h1:5432,h2:5432/db?target_session_attrs=read-write`, the form of libpq (PostgreSQL manual,
 * 34.1.1.3). Throws CannotStart for attributes of a session that does not fit the purpose.
 */
export function readAddress(address: string, purpose: Purpose = 'changes'): Address {
  const [, scheme = '', login = '', names = '', rest = ''] = parts.exec(address) ?? []
  const [path = '', query] = rest.split('?')
  const params = new URLSearchParams(query)
  const wanted = params.get(attribute)
  if (wanted !== null && !accepted[purpose].includes(wanted)) throw new CannotStart(whyRefused(wanted, purpose))
  params.delete(attribute)
  const single = (name: string) => `${scheme}${login}${name}${path}${params.size ? `?${params}` : ''}`
  const all = names.split(',')
  const [first = ''] = all
  if (all.length === 1 && wanted === null) return { url: address, hosts: [] }
  return { url: single(first), hosts: all.map((name) => hostOf(single(name))) }
}

function whyRefused(wanted: string, purpose: Purpose): string {
  const remedy = `set ${attribute} to ${accepted[purpose][0]} instead of '${wanted}', or leave it out`
  return purpose === 'changes'
    ? `The database has to take changes: ${remedy}.`
    : `READ_DATABASE_URL names standbys, while changes go to DATABASE_URL: ${remedy}.`
}

function hostOf(url: string): Host {
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port ? Number(port) : defaultPort }
}

/** Thrown if hosts answer, but none of them takes changes; PostgreSQL's code for a change of a read-only transaction. */
class OnlyStandbys extends Error {
  readonly code = '25006'
}

const probes = new Map<string, Promise<Host>>()

/**
 * The host that takes changes, asked for each connection, since a fall of the primary moves it; questions at the same time
 * share an answer. Throws the first host's error if none answers, or that all are standbys.
 */
export function findPrimary({ url, hosts }: Address): Promise<Host> {
  const key = `${url} ${JSON.stringify(hosts)}`
  const running = probes.get(key)
  if (running) return running
  const probe = probeAll(url, hosts).finally(() => probes.delete(key))
  probes.set(key, probe)
  return probe
}

async function probeAll(url: string, hosts: readonly Host[]): Promise<Host> {
  const answers = hosts.map((host) => probe(url, host))
  try {
    return await Promise.any(answers)
  } catch (error) {
    const reasons = (error as AggregateError).errors as unknown[]
    throw reasons.find((reason) => reason instanceof OnlyStandbys) ?? reasons[0]
  }
}

/** Resolves to the host if it takes changes. */
async function probe(url: string, host: Host): Promise<Host> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: probeTimeout, query_timeout: probeTimeout })
  client.on('error', () => undefined)
  Object.assign(client, host)
  try {
    await client.connect()
    const { rows } = await client.query<{ changes: boolean }>(
      `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as changes`,
    )
    if (!rows[0]?.changes) throw new OnlyStandbys(`${host.host}:${host.port} takes no changes.`)
    return host
  } finally {
    void client.end().catch(() => undefined)
  }
}
