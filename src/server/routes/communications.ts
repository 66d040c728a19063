import {
  countCommunications,
  getCommunication,
  listCommunications,
  postResend,
  resendCommunication,
} from '#contract/communications.ts'
import { validateRecipient } from '#domain/communication.ts'
import type { Actor } from '#server/access/actor.ts'
import { change, on, route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { ewaAddressesOf } from '#server/money/deductions/deliver.ts'
import { notFound, Refused } from '#server/http-error.ts'
import {
  type CommunicationRow,
  communicationsOf,
  resendMail,
  oneCommunication,
  toCommunication,
} from '#server/tables/communications.ts'
import type { Tx } from '#server/tables/database.ts'
import { oneEmployer } from '#server/tables/employers.ts'

async function refuseClosedEmployer(tx: Tx, actor: Actor, id: number): Promise<void> {
  if (!(await oneEmployer(tx, actor, id))) throw notFound()
}

const open = async (tx: Tx, actor: Actor, id: number): Promise<CommunicationRow> => {
  const found = await oneCommunication(tx, actor, id)
  if (!found) throw notFound()
  return found
}

export const routes = [
  route(listCommunications, async ({ tx, actor, params: { id }, query, services }) => {
    await refuseClosedEmployer(tx, actor, id)
    const { from, seal } = listCursor(services, `GET /employers/${id}/communications`, actor, query)
    const { rows, next } = await communicationsOf(id).page({ tx, actor }, query, from)
    return { communications: rows.map(toCommunication), lek: seal(next) }
  }),

  route(countCommunications, async ({ tx, actor, params: { id }, query }) => {
    await refuseClosedEmployer(tx, actor, id)
    return communicationsOf(id).count({ tx, actor }, query)
  }),

  route(getCommunication, async ({ tx, actor, params }) => toCommunication(await open(tx, actor, params.id))),

  change(postResend, {
    subject: ({ tx, actor, params }) => oneCommunication(tx, actor, params.id, { lock: true }),
    // Events belong to the history of the company; the version is that of the mail.
    target: ({ employer_id, organization_id, version }: CommunicationRow) => ({
      entity: employer_id === null ? 'organization' : 'employer',
      id: String(employer_id ?? organization_id),
      version,
    }),
    snapshot: () => ({}),
    facts: async ({ subject }: { subject: CommunicationRow }) => toCommunication(subject),
    intents: [
      on<typeof resendCommunication, CommunicationRow>(resendCommunication, async ({ tx, actor, subject, now }) => {
        const { employer_id, organization_id } = subject
        const still = employer_id === null ? [] : await ewaAddressesOf(tx, employer_id, organization_id)
        const refusal = validateRecipient(subject, still)
        if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
        await resendMail(tx, subject.id, now)
        const after = await open(tx, actor, subject.id)
        return { after, answer: toCommunication(after), text: `${after.subject}\n${after.recipient}` }
      }),
    ],
  }),
]
