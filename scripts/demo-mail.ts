// npm run demo:mail -- --from payroll@example.com --file acme_ee.csv: sends a mail with that file to the server running here, as
// a mail server would. MAIL_KEY and PORT must match those of the server.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import { CannotStart } from '#server/cannot-start.ts'

const { values } = parseArgs({ options: { from: { type: 'string' }, file: { type: 'string' } } })

try {
  const { from, file } = values
  const key = process.env['MAIL_KEY']
  if (!from || !file) throw new CannotStart('Say who it is from and which file: --from payroll@example.com --file acme_ee.csv')
  if (!key) throw new CannotStart('Set MAIL_KEY to the key that the server was started with.')
  const attachments = [{ filename: basename(file), content: readFileSync(file) }]
  const mail = await new MailComposer({ from, to: 'files@example.com', subject: 'Files', text: 'Our files.', attachments })
    .compile()
    .build()
  const api = `http://${process.env['HOST'] ?? '127.0.0.1'}:${process.env['PORT'] ?? 3000}/api`
  const application = {
    'application-key': process.env['PUBLIC_APPLICATION_KEY'] ?? 'public-local',
    'application-name': 'ADMIN_PORTAL',
  }
  const credentials = (await (await fetch(`${api}/credentials`, { headers: application })).json()) as { application_key: string }
  const answer = await fetch(`${api}/imports/mail`, {
    method: 'POST',
    headers: { ...application, 'application-key': credentials.application_key, 'content-type': 'application/json', key },
    body: JSON.stringify({ message: mail.toString('base64') }),
  })
  const body = (await answer.json()) as {
    files?: { file_name: string; import_id: number | null; message: string | null }[]
    record_id?: number | null
    detail?: string
  }
  if (!body.files) throw new CannotStart(body.detail ?? `The server answered ${answer.status}.`)
  for (const { file_name, import_id, message } of body.files)
    console.log(import_id === null ? `${file_name}: ${message}` : `${file_name}: import ${import_id}`)
  if (body.files.length === 0) console.log('The mail has no .csv or .xlsx file.')
  if (body.record_id) console.log(`What was not imported is recorded as import ${body.record_id}.`)
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error)
  process.exitCode = 1
}
