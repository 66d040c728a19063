import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '#tests/support/process.ts'

test('a signal that comes twice, from the terminal and from npm, ends the server in order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'admin-portal-signals-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const server = startProcess({ DATA_DIR: folder, SEED: 'none' })
  await server.ready
  server.child.kill('SIGINT')
  await new Promise((resolve) => setTimeout(resolve, 5))
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, complaint: '' })
})
