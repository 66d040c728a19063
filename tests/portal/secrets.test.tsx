import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type AnyIntent, endpoint, intent } from '#contract/define.ts'
import { fieldMeta, nothing, text } from '#contract/fields.ts'
import { hasSecret, withoutSecrets } from '#contract/secrets.ts'
import { changeSftpUser, createSftpUser } from '#contract/sftp-users.ts'
import { all, byIntent, permissionIds } from '#domain/permissions.ts'
import { changes, type Command, defineCommand } from '#kernel/command.ts'
import { fieldsOf } from '#kernel/form.ts'
import type { AnyPageForm } from '#kernel/page-form.ts'
import { keptEntry, keptParams } from '#kernel/secrets.ts'
import { callStates } from '#kernel/outbox.ts'
import { register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { draft, keepDraft } from '#portal/commands/drafts.ts'
import { addHistory, historyAtom } from '#portal/commands/history.ts'
import { commandLink } from '#portal/commands/links.ts'
import { outbox } from '#portal/commands/outbox/calls.ts'
import { noTargets } from '#portal/platform/commands.ts'
import { meAtom } from '#portal/api/session.ts'
import { rightValue } from '#tests/support/right-values.ts'
import { draftFrom, draftOf } from '#portal/form/session/values.ts'

const word = 'Sesame-4711'
const secret = (title: string) => {
  const field = z.string()
  fieldMeta.add(field, { kind: 'secret', title })
  return field
}

const connect = intent(
  endpoint({
    method: 'POST',
    path: '/connections',
    summary: 'Connect',
    tag: 'Connections',
    params: nothing,
    query: nothing,
    answer: z.object({ id: z.int(), token: secret('Token') }),
    needs: byIntent,
  }),
  {
    id: 'connection.connect',
    event: 'Connected',
    needs: all('write:integrations'),
    body: z.object({
      name: text('Name'),
      password: secret('Password').optional(),
      keys: z.array(z.object({ host: text('Host'), key: secret('Key') })),
      by: z.union([z.object({ token: secret('Token').nullable() }), z.object({ user: text('User') })]),
      more: z.record(z.string(), secret('Value')).default({}),
    }),
  },
)
const command = defineCommand({
  id: 'connection.connect',
  title: 'Connect',
  does: connect,
  done: () => 'Connected',
  failed: () => 'Something went wrong connecting',
}) as unknown as Command

const typed = { name: 'Bank', password: word, keys: [{ host: 'a', key: word }], by: { token: word }, more: { x: word } }
const left = { name: 'Bank', keys: [{ host: 'a' }], by: {}, more: {} }

beforeAll(() => {
  register({ commands: [command] })
  store.set(meAtom, { person: { id: 'ada' }, permissions: permissionIds } as never)
})

const kept = (): string => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])

test('stored values have no secret, at any depth, and everything else', () => {
  expect(withoutSecrets(connect.body, typed)).toEqual(left)
  expect(hasSecret(connect.body)).toBe(true)
})

test('a draft, the history, a link and a pending call have no secret', () => {
  keepDraft(command.id, noTargets, draftOf(fieldsOf(connect.body), typed))
  expect(draft(command.id, noTargets)).toEqual(left)
  addHistory({
    command: command.id,
    title: command.title,
    sentence: 'Connected',
    target: null,
    params: typed,
    before: undefined,
    after: { id: 1, token: word },
    answers: [{ id: 1, token: word }],
    rows: [{ before: undefined, after: { id: 1, token: word }, answers: [{ id: 1, token: word }] }],
  })
  const [entry] = store.get(historyAtom)
  expect(entry).toMatchObject({ params: left, after: { id: 1 }, answers: [{ id: 1 }], rows: [{ after: { id: 1 } }] })
  expect(decodeURIComponent(commandLink(command, null, typed))).toContain('"name":"Bank"')
  expect(commandLink(command, null, typed)).not.toContain(word)
  const { intent: calledIntent, at, body } = (connect as unknown as AnyIntent)({}, typed)
  const call = {
    key: 'k',
    person: 'ada',
    command: command.id,
    target: null,
    intent: calledIntent.id,
    at,
    body,
    since: Date.now(),
  }
  for (const state of callStates) {
    outbox.put({ ...call, state }, 'Connect')
    expect(outbox.all()).toMatchObject([{ key: 'k', state }])
  }
  expect(kept()).toContain('Bank')
  expect(kept()).not.toContain(word)
  expect(JSON.stringify(store.get(historyAtom))).not.toContain(word)
})

test('nothing typed as the public key of an SFTP user is stored: it may be the private one', () => {
  const privateKey = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----'
  const values = { username: 'harbor', authentication: 'SSH_KEY', ssh_key: privateKey }
  expect(draftOf(fieldsOf(createSftpUser.body), values)).toEqual({ username: 'harbor', authentication: 'SSH_KEY' })
  for (const { body } of [createSftpUser, changeSftpUser]) expect(withoutSecrets(body, values)).not.toHaveProperty('ssh_key')
  addHistory(
    {
      command: command.id,
      title: 'Create',
      sentence: 'Created',
      target: null,
      params: values,
      before: null,
      after: null,
      answers: [],
    },
    { ...command, does: [createSftpUser as unknown as AnyIntent], form: createSftpUser.body } as never,
  )
  expect(kept()).not.toContain('PRIVATE KEY')
  expect(kept()).not.toContain('b3BlbnNzaC1rZXktdjE')
})

test('a page form, whose palette command only opens it, stores no secret', () => {
  const way = defineCommand({
    id: 'connection.page',
    title: 'Connections',
    needs: 'signed-in',
    act: () => {},
  }) as unknown as Command
  register({ commands: [command, way] })
  const done = {
    title: 'Connect',
    sentence: 'Connected',
    target: null,
    before: null,
    after: null,
    answers: [{ id: 1, token: word }],
  }
  addHistory({ ...done, command: way.id, params: typed }, command)
  expect(store.get(historyAtom)[0]).toMatchObject({ command: 'connection.page', params: left, answers: [{ id: 1 }] })
  expect(kept()).not.toContain(word)
  expect(draftFrom(fieldsOf(connect.body), typed, {})).toEqual(left)
})

test('every command stores everything except for secrets', () => {
  const found = import.meta.glob<Command | Command[]>(['../../commands/**/*.ts', '!../../commands/**/*.page.ts'], {
    eager: true,
    import: 'default',
  })
  const pages = import.meta.glob<AnyPageForm>('../../commands/**/*.page.ts', { eager: true, import: 'default' })
  const commands = [...Object.values(found).flat(), ...Object.values(pages).map((page) => page.command)].filter(changes)
  expect(commands.length).toBeGreaterThan(20)
  for (const each of commands) {
    for (const { body, endpoint: called } of each.does) {
      const form = typeof each.form?.schema === 'object' ? each.form.schema : body
      const params = rightValue(form, 1) as Record<string, unknown>
      const secrets = [form, body].some(hasSecret)
      const entry = keptEntry(each, { params, before: null, after: null, answers: [rightValue(called.answer, 1)] }, form)
      for (const schema of [form, body]) expect(withoutSecrets(schema, entry.params)).toEqual(entry.params)
      expect(withoutSecrets(called.answer, entry.answers[0])).toEqual(entry.answers[0])
      if (!secrets) expect([each.id, keptParams(each, params, form)]).toEqual([each.id, JSON.parse(JSON.stringify(params))])
    }
  }
})
