import ssh2, { type SFTPWrapper } from 'ssh2'
import { expect, onTestFinished, test } from 'vitest'
import { createCompany } from '#tests/support/company.ts'
import { createDatabase } from '#tests/support/database.ts'
import { createPerson } from '#tests/support/people.ts'
import { startProcess } from '#tests/support/process.ts'
import { signInAs } from '#tests/support/sign-in.ts'

test('files arrive in a process of its own, and the server that imports them listens for none', async () => {
  const database = await createDatabase()
  onTestFinished(() => database.drop())
  const settings = { DATABASE_URL: database.url, SEED: 'none', LOG_LEVEL: 'silent', SFTP_ADDRESS: 'files.example.com:22' }
  const server = startProcess(settings)
  const files = startProcess({ ...settings, SFTP_PORT: '0' }, undefined, 'sftp')
  onTestFinished(() => void server.child.kill('SIGKILL'))
  const origin = await server.ready
  const port = Number(await files.printed(/SFTP is ready: 127\.0\.0\.1:(\d+)/))
  const headers = {
    ...(await signInAs({ origin, db: database.db }, await createPerson(database.db, { groups: [1] }))),
    'content-type': 'application/json',
  }
  const ask = async (path: string, body?: object) => {
    const reply = await fetch(
      `${origin}/api${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    return (await reply.json()) as { username: string; imports: { file_name: string; source: string }[] }
  }
  const { organizationId } = await createCompany(database.db, 'Harbor')
  const password = 'Right-Pass-1'
  const user = { organization_id: organizationId, username: 'harbor', authentication: 'PASSWORD', password }
  const { username } = await ask('/sftp-users', user)

  const client = new ssh2.Client()
  await new Promise<void>((resolve, reject) => {
    client.once('ready', resolve).on('error', reject).connect({ host: '127.0.0.1', port, username, password })
  })
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) =>
    client.sftp((error, made) => (error ? reject(error) : resolve(made))),
  )
  await new Promise<void>((resolve, reject) =>
    sftp.writeFile('staff_ee.csv', 'Code,Name\nS1,Ann Lee\n', (error) => (error ? reject(error) : resolve())),
  )
  client.end()
  await expect
    .poll(async () => (await ask(`/imports?organization-id=${organizationId}`)).imports)
    .toMatchObject([{ file_name: 'staff_ee.csv', source: 'SFTP' }])

  files.child.kill('SIGTERM')
  expect(await files.ended).toMatchObject({ code: 0, complaint: '' })
})

test('without a port there is nothing to do', async () => {
  const files = startProcess({ SEED: 'none' }, undefined, 'sftp')
  expect(await files.ended).toMatchObject({ code: 1, complaint: 'Set SFTP_PORT to the port where SFTP users connect.\n' })
})
