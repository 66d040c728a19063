import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { employee } from '#entities/employee.ts'
import { availability } from '#kernel/availability.ts'
import { comingCommand } from '#kernel/command-head.ts'
import { permissionId } from '#domain/permissions.ts'
import { commandHeads, everywhere } from '../scripts/command-heads.ts'

const heads = await commandHeads()
const pause = heads.find(({ id }) => id === 'employee.pause')

test('the commands loaded with the palette are the same for the build and at run time', () => {
  const source = readFileSync('src/portal/main/everything.ts', 'utf8')
  const folders = [...source.matchAll(/commands\/\{([\w,-]+)\}/g)].map(([, names = '']) => names.split(','))
  expect(folders).toEqual([everywhere])
  expect(heads.filter(({ id }) => everywhere.includes(id.split('.')[0] ?? ''))).toEqual([])
})

test('a head is serializable, has search terms and declares its permission', () => {
  expect(JSON.parse(JSON.stringify(pause))).toMatchObject({
    title: 'Pause employee',
    aliases: ['freeze', 'suspend', 'block', 'stop withdrawals', 'cancel withdrawals', 'freeze account', 'block account'],
    on: 'employee',
    keys: [{ scope: 'row', chord: 'p' }],
    coming: { asks: true, undoable: true },
  })
  if (!pause) return
  const command = comingCommand(JSON.parse(JSON.stringify(pause)), () => employee)
  const held = (...names: Parameters<typeof permissionId>[0][]) => ({
    signedIn: true,
    held: new Set<number>(names.map(permissionId)),
    supports: () => true,
    selection: null,
    pane: null,
    open: null,
    online: true,
  })
  expect(availability(command, held('read:employees'))).toMatchObject({ state: 'locked', lacks: ['write:employees'] })
  expect(availability(command, held('read:employees', 'write:employees'))).toEqual({ state: 'ask' })
})
