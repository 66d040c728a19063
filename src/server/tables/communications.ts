import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import { Communication, listCommunications } from '#contract/communications.ts'
import type { CommunicationKind, CommunicationState } from '#domain/communication.ts'
import type { Reader } from '#server/access/actor.ts'
import { openTo, organizationOpenTo } from '#server/access/scope.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { businessDay, choice, byDay, words } from '#server/tables/conditions.ts'
import type { Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll } from '#server/postgres/select.ts'
import { insertRow } from '#server/tables/rows.ts'

/** The table `communications`: mails about companies. */
export interface CommunicationTable {
  id: Generated<number>
  organization_id: number
  employer_id: number | null
  kind: CommunicationKind
  recipient: string
  subject: string
  body: string
  queued_at: Generated<Date>
  sent_at: Date | null
  resent: Generated<number>
  version: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    communications: CommunicationTable
  }
}

/** A mail with its state. */
export interface CommunicationRow extends Selectable<CommunicationTable> {
  state: CommunicationState
}

const column = (name: string) => sql.ref(`e.${name}`)
const open = (actor: Reader) =>
  sql`case when e.employer_id is null then ${organizationOpenTo(actor, column('organization_id'))} else ${openTo(actor, column('employer_id'))} end`

/** A mail is queued while the outbox may still retry it; a mail neither queued nor sent has failed. */
const state = sql<CommunicationState>`case when e.sent_at is not null then 'SENT'
  when exists (select from outbox mail where mail.communication_id = e.id and mail.sent_at is null
    and mail.expires_at > now() and mail.attempts < 8) then 'QUEUED' else 'FAILED' end`

async function read(
  tx: Tx,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<(CommunicationRow & { key: unknown })[]> {
  return selectAll<CommunicationRow & { key: unknown }>(tx)`
    select chosen.key, e.*, ${state} as state from (${chosen}) chosen join communications e on e.id = chosen.id order by ${order}`
}

/** Mails about an employer, including those about all employers of its organization; the caller checks access to the employer. */
export const communicationsOf = (employerId: number) =>
  defineList({
    endpoint: listCommunications,
    from: sql`(select mail.* from communications mail join employers employer on employer.id = ${employerId}
      where mail.employer_id = employer.id or (mail.employer_id is null and mail.organization_id = employer.organization_id)) e`,
    open: () => sql`true`,
    filters: {
      ...choice('state', state),
      ...choice('kind', column('kind')),
      ...byDay('queued', businessDay(column('queued_at'))),
      q: (text) => every(words(sql`fold(e.recipient || ' ' || e.subject)`, text)),
    },
    sorts: { id: null, recipient: sql`e.recipient collate "C"`, queued_at: column('queued_at') },
    read: ({ tx }, chosen, order) => read(tx, chosen, order),
  })

/** One mail, if the person may see it. With `lock` nobody else resends it before the commit. */
export async function oneCommunication(
  tx: Tx,
  actor: Reader,
  id: number,
  { lock = false } = {},
): Promise<CommunicationRow | null> {
  if (lock) await sql`select 1 from communications where id = ${id} for update`.execute(tx)
  const [row] = await read(
    tx,
    sql`select e.id, null as key from communications e where e.id = ${id} and ${open(actor)}`,
    sql`chosen.id`,
  )
  return row ?? null
}

type Mail = Pick<CommunicationRow, 'organization_id' | 'employer_id' | 'kind' | 'recipient' | 'subject' | 'body'>

const triedForDays = 3

/** Queues a mail about a company in the outbox, in the transaction of its cause. */
export async function mailAbout(tx: Tx, mail: Mail, now: Date): Promise<void> {
  const id = await insertRow(tx, 'communications', { ...mail, queued_at: now })
  await putIntoOutbox(tx, id, now)
}

/** Resends a locked mail. */
export async function resendMail(tx: Tx, id: number, now: Date): Promise<void> {
  await sql`update communications set sent_at = null, queued_at = ${now}, resent = resent + 1, version = version + 1
    where id = ${id}`.execute(tx)
  await putIntoOutbox(tx, id, now)
}

const putIntoOutbox = (tx: Tx, id: number, now: Date) =>
  sql`insert into outbox (recipient, subject, body, created_at, expires_at, next_attempt_at, communication_id)
    select recipient, subject, body, ${now}::timestamptz, ${now}::timestamptz + make_interval(days => ${triedForDays}), ${now}::timestamptz, id
    from communications where id = ${id}`.execute(tx)

/** A mail as returned by the API. */
export const toCommunication = (row: CommunicationRow): Communication => answerOf(Communication, { ...row, text: row.body })
