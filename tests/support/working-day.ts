import { expect } from 'vitest'
import { keyed } from '#tests/support/server.ts'
import { type Headers, type ServerToSignIn, signInAs } from '#tests/support/sign-in.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of another version of the API
type Body = any

interface Parameter {
  in?: string
  required?: boolean
}

/** Reads that are tried without the id of a record, and with that of the first record of a list. */
async function readEverything(origin: string, headers: Headers): Promise<number> {
  const get = (path: string) => fetch(`${origin}/api${path}`, { headers })
  const { paths } = (await (await get('/openapi.json')).json()) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>
  }
  const reads = Object.entries(paths).filter(
    ([path, { get: read }]) =>
      // Takes the public key, before sign-in.
      path !== '/credentials' && read && !read.parameters?.some(({ in: place, required }) => place === 'query' && required),
  )
  const firsts = new Map<string, string>()
  for (const [path] of reads.filter(([each]) => !each.includes('{'))) {
    const reply = await get(path)
    expect([path, reply.status]).toEqual([path, 200])
    const rows = Object.values((await reply.json()) as Body).find((value) => Array.isArray(value)) as Body[] | undefined
    if (rows?.[0]?.id !== undefined) firsts.set(path.split('/')[1] as string, String(rows[0].id))
  }
  expect(firsts.size).toBeGreaterThan(10)
  for (const [path] of reads.filter(([each]) => each.includes('{'))) {
    const id = firsts.get(path.split('/')[1] as string)
    if (id === undefined) continue
    const reply = await get(path.replaceAll(/\{\w+\}/g, id))
    expect([path, reply.status, reply.status < 500]).toEqual([path, reply.status, true])
    await reply.arrayBuffer()
  }
  return reads.length
}

/**
 * What staff do in a day, over HTTP, at a demo company: they sign in, read every list and record, pause, resume, note, take a
 * payment, write off, close and reopen, run a command over several people, export, and import a file. Works with any version of
 * the server; `name` makes the names of what is created unique.
 */
export async function workADay(server: ServerToSignIn, name: string): Promise<void> {
  const { origin } = server
  const headers = await signInAs(server, 'priya.raman@example.com')
  const send = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const reply = await fetch(`${origin}/api${path}`, {
      method,
      headers: body === undefined ? headers : { ...keyed(headers), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    expect([method, path, reply.status, reply.ok ? '' : text]).toEqual([method, path, reply.status, ''])
    return text === '' ? undefined : JSON.parse(text)
  }
  const finished = (path: string, isOver: (body: Body) => boolean) =>
    expect.poll(async () => isOver(await send('GET', path))).toBe(true)
  const me = await send('GET', '/me')

  const { employees } = await send('GET', '/employees?status=ACTIVE&include=employer&limit=200')
  const [employee, other] = employees.filter((each: Body) => each.employer.status === 'ACTIVE')
  const paused = await send('PATCH', `/employees/${employee.id}`, {
    status: 'PAUSED',
    reason: 'Leave',
    version: employee.version,
  })
  await send('PATCH', `/employees/${employee.id}`, { status: 'ACTIVE', version: paused.version })
  await send('POST', `/notes/entity/${employee.id}`, { text: `Called ${name}`, user_id: me.person.id, entity_type: 'employee' })

  // On some days no invoice of a small demo company is newer than one that the bank has returned.
  const { data: invoices } = await send('GET', '/invoices?status=SENT,RETURNED,PARTIALLY_RETURNED&pageSize=200')
  const { id } = invoices.find((each: Body) => each.employer.status === 'ACTIVE' && each.outstanding_amount > 1_00)
  const invoice = await send('GET', `/invoices/${id}`)
  const { lines } = await send('GET', `/invoices/${invoice.id}/lines`)
  const line = lines.find((each: Body) => each.original_amount > each.writeoff_amount + each.pending_amount)
  const { write_offs } = await send('POST', `/invoices/${invoice.id}/write-offs`, {
    suggestions: [{ line_id: line.id, amount: 1, reason: 'OTHER', details: name }],
    version: invoice.version,
  })
  await send('POST', `/write-offs/${write_offs[0].id}/reject`, { reason: name, version: write_offs[0].version })
  const { version } = await send('GET', `/invoices/${invoice.id}`)
  await send('POST', '/repayments', {
    debtor_type: invoice.debtor_type,
    debtor_id: invoice.debtor_id,
    amount: 1,
    repayment_date: invoice.as_of,
    descriptor: name,
    allocations: [{ invoice_id: invoice.id, amount: 1 }],
    expected: { [invoice.id]: version },
    reason: name,
  })
  const paid = await send('GET', `/invoices/${invoice.id}`)
  const closed = await send('POST', `/invoices/${invoice.id}/close`, { notes: name, version: paid.version })
  await send('POST', `/invoices/${invoice.id}/reopen`, { notes: name, version: closed.version })

  const run = await send('POST', '/runs', {
    intent: 'employee.pause',
    body: { status: 'PAUSED', reason: 'Leave' },
    targets: { ids: [other.id] },
  })
  await finished(`/runs/${run.id}`, ({ state, done }) => state === 'done' && done === 1)
  const written = await send('POST', '/exports', { kind: 'invoices', filter: {} })
  await finished(`/exports/${written.id}`, ({ state }) => state === 'done')

  const employer = await send('GET', `/employers/${invoice.employer.id}`)
  const fields = ['employer_code', 'employee_code', 'first_name', 'last_name', 'status']
  await send('POST', '/mappings/employees', {
    employer_id: employer.id,
    file_name: `${name}_ee.csv`,
    columns: fields.map((field) => ({ header: field, field })),
  })
  const content = Buffer.from(`${fields.join()}\n${employer.external_code},${name},Nova,Lee,Active\n`).toString('base64')
  const file = await send('POST', '/imports', { employer_id: employer.id, file: { name: `${name}_ee.csv`, content } })
  await finished(`/imports/${file.id}`, ({ status }) => status !== 'PENDING')

  expect(await readEverything(origin, headers)).toBeGreaterThan(100)
  await send('POST', '/auth/logout', {})
}
