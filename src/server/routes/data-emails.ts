import {
  countDataEmails,
  createDataEmail,
  type DataEmail,
  deleteDataEmail,
  getDataEmail,
  listDataEmails,
} from '#contract/data-emails.ts'
import type { CommunicationKind } from '#domain/communication.ts'
import { type DataEmailType, dataEmailLabels, existsAlready, otherType, sameAsOther } from '#domain/data-email.ts'
import { reads } from '#server/http/reads.ts'
import { changing } from '#server/http/route.ts'
import { invalid, orNotFound } from '#server/http-error.ts'
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

const open = orNotFound(oneDataEmail)

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

/** Why an address conflicts with the existing ones of its owner. */
function faultOf(type: DataEmailType, email: string, existing: readonly Pick<DataEmailRow, 'type' | 'email'>[]): string | null {
  const has = (of: DataEmailType) => existing.some((one) => one.type === of && one.email === email)
  return has(type) ? existsAlready(type) : has(otherType(type)) ? sameAsOther(type) : null
}

export const routes = [
  ...reads(
    { list: listDataEmails, count: countDataEmails, get: getDataEmail },
    { list: dataEmailList, open, answer: toDataEmail },
  ),

  changing({
    subject: ({ tx, actor, body }) => lockedOwner(tx, actor, body),
    target: (owner) => ({ ...ownedBy(owner), version: null }),
  })(createDataEmail, async ({ tx, actor, subject: owner, body: { type, email }, now }) => {
    const address = { type, email: email.toLowerCase() }
    const message = faultOf(type, address.email, await addressesOf(tx, owner))
    if (message) throw invalid([{ path: 'email', message }])
    const { organization_id, employer_id } = owner
    const row = await open(tx, actor, await insertDataEmail(tx, actor, { organization_id, employer_id, ...address }))
    await notifyAddress(tx, 'DATA_EMAIL_ADDED', row, now)
    return { after: owner, answer: { data_emails: [toDataEmail(row)] }, text: textOf(row) }
  }),

  changing({
    subject: ({ tx, actor, params }) => oneDataEmail(tx, actor, params.id, { lock: true }),
    target: (row: DataEmailRow) => ({ ...ownedBy(row), version: row.version }),
    answer: toDataEmail,
  })(deleteDataEmail, async ({ tx, subject, now }) => {
    await notifyAddress(tx, 'DATA_EMAIL_REMOVED', subject, now)
    await deleteDataEmailRow(tx, subject.id)
    return { after: subject, text: textOf(subject) }
  }),
]
