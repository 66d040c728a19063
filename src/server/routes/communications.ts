import { countCommunications, getCommunication, listCommunications, resendCommunication } from '#contract/communications.ts'
import { validateRecipient } from '#domain/communication.ts'
import { changing, route } from '#server/http/route.ts'
import { ewaAddressesOf } from '#server/money/deductions/deliver.ts'
import { notFound, Refused, orNotFound } from '#server/http-error.ts'
import {
  type CommunicationRow,
  communicationsOf,
  resendMail,
  oneCommunication,
  toCommunication,
} from '#server/tables/communications.ts'
import { oneEmployer } from '#server/tables/employers.ts'
import { listBelow } from '#server/http/reads.ts'

const open = orNotFound(oneCommunication)

export const routes = [
  ...listBelow(
    listCommunications,
    countCommunications,
    async ({ tx, actor, params: { id } }) => {
      if (!(await oneEmployer(tx, actor, id))) throw notFound()
      return communicationsOf(id)
    },
    toCommunication,
  ),

  route(getCommunication, async ({ tx, actor, params }) => toCommunication(await open(tx, actor, params.id))),

  changing({
    subject: ({ tx, actor, params }) => oneCommunication(tx, actor, params.id, { lock: true }),
    // Events belong to the history of the company; the version is that of the mail.
    target: ({ employer_id, organization_id, version }: CommunicationRow) => ({
      entity: employer_id === null ? 'organization' : 'employer',
      id: String(employer_id ?? organization_id),
      version,
    }),
    answer: toCommunication,
  })(resendCommunication, async ({ tx, actor, subject, now }) => {
    const { employer_id, organization_id } = subject
    const still = employer_id === null ? [] : await ewaAddressesOf(tx, employer_id, organization_id)
    const refusal = validateRecipient(subject, still)
    if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
    await resendMail(tx, subject.id, now)
    const after = await open(tx, actor, subject.id)
    return { after, text: `${after.subject}\n${after.recipient}` }
  }),
]
