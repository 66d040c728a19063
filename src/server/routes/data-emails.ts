import {
  countDataEmails,
  createDataEmail,
  type DataEmail,
  deleteDataEmail,
  getDataEmail,
  listDataEmails,
  postDataEmail,
  removeDataEmail,
} from '#contract/data-emails.ts'
import type { CommunicationKind } from '#domain/communication.ts'
import { type DataEmailType, dataEmailLabels, existsAlready, otherType, sameAsOther } from '#domain/data-email.ts'
import type { Actor } from '#server/access/actor.ts'
import type { OpenDebtor } from '#server/access/scope.ts'
import { change, on, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { invalid, notFound } from '#server/http-error.ts'
import { mailAbout } from '#server/tables/communications.ts'
import {
  addressesOf,
  dataEmailList,
  type DataEmailRow,
  deleteDataEmailRow,
  insertDataEmail,
  oneDataEmail,
  toDataEmail,
} from '#server/tables/data-emails.ts'
import type { Tx } from '#server/tables/database.ts'
import { lockedOwner, ownedBy } from '#server/tables/owners.ts'

const open = async (tx: Tx, actor: Actor, id: number): Promise<DataEmailRow> => {
  const found = await oneDataEmail(tx, actor, id)
  if (!found) throw notFound()
  return found
}

const textOf = ({ type, email }: Pick<DataEmail, 'type' | 'email'>): string => `${dataEmailLabels[type]}: ${email}`

/** Mails an address that it may send files, or may no longer do so. */
const notifyAddress = (tx: Tx, kind: CommunicationKind, row: DataEmailRow, now: Date) => {
  const company = row.employer_name ?? row.organization_name
  const files = `${dataEmailLabels[row.type].toLowerCase()} files of ${company}`
  return mailAbout(
    tx,
    {
      organization_id: row.organization_id,
      employer_id: row.employer_id,
      kind,
      recipient: row.email,
      subject:
        kind === 'DATA_EMAIL_ADDED'
          ? `You can send us files of ${company}`
          : `Files of ${company} are not taken from you any more`,
      body:
        kind === 'DATA_EMAIL_ADDED'
          ? `From now on we take ${files} that you mail to us from this address.`
          : `From now on we do not take ${files} from this address any more.`,
    },
    now,
  )
}

/** The locked company of a new address. */
interface DataEmailCreation {
  owner: OpenDebtor
}

/** Why an address conflicts with the existing ones of its owner. */
function faultOf(type: DataEmailType, email: string, existing: readonly Pick<DataEmailRow, 'type' | 'email'>[]): string | null {
  const has = (of: DataEmailType) => existing.some((one) => one.type === of && one.email === email)
  return has(type) ? existsAlready(type) : has(otherType(type)) ? sameAsOther(type) : null
}

export const routes = [
  route(listDataEmails, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /data-emails', actor, query)
    const { rows, next } = await dataEmailList.page({ tx, actor }, query, from)
    return { data_emails: rows.map(toDataEmail), lek: seal(next) }
  }),

  route(countDataEmails, ({ tx, actor, query }) => dataEmailList.count({ tx, actor }, query)),

  route(getDataEmail, async ({ tx, actor, params }) => toDataEmail(await open(tx, actor, params.id))),

  change<typeof postDataEmail, DataEmailCreation>(postDataEmail, {
    subject: async ({ tx, actor, body }) => {
      const owner = await lockedOwner(tx, actor, body)
      return owner && { owner }
    },
    target: ({ owner }) => ({ ...ownedBy(owner), version: null }),
    snapshot: () => ({}),
    intents: [
      on<typeof createDataEmail, DataEmailCreation>(
        createDataEmail,
        async ({ tx, actor, subject: { owner }, body: { type, email }, now }) => {
          const address = { type, email: email.toLowerCase() }
          const message = faultOf(type, address.email, await addressesOf(tx, owner))
          if (message) throw invalid([{ path: 'email', message }])
          const { organization_id, employer_id } = owner
          const row = await open(tx, actor, await insertDataEmail(tx, actor, { organization_id, employer_id, ...address }))
          await notifyAddress(tx, 'DATA_EMAIL_ADDED', row, now)
          return { after: { owner }, answer: { data_emails: [toDataEmail(row)] }, text: textOf(row) }
        },
      ),
    ],
  }),

  change(removeDataEmail, {
    subject: ({ tx, actor, params }) => oneDataEmail(tx, actor, params.id, { lock: true }),
    target: (row: DataEmailRow) => ({ ...ownedBy(row), version: row.version }),
    snapshot: () => ({}),
    facts: async ({ subject }: { subject: DataEmailRow }) => toDataEmail(subject),
    intents: [
      on<typeof deleteDataEmail, DataEmailRow>(deleteDataEmail, async ({ tx, subject, now }) => {
        await notifyAddress(tx, 'DATA_EMAIL_REMOVED', subject, now)
        await deleteDataEmailRow(tx, subject.id)
        return { after: subject, answer: toDataEmail(subject), text: textOf(subject) }
      }),
    ],
  }),
]
