import { beforeEach, expect, test } from 'vitest'
import type { Me } from '#contract/session.ts'
import { permissionIds, permissionNames } from '#domain/permissions.ts'
import { isolated } from '#domain/text.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import favouriteCommands from '#commands/view/favourite.ts'
import { availability } from '#kernel/availability.ts'
import type { Command } from '#kernel/command.ts'
import { meAtom } from '#portal/api/session.ts'
import { addFavourite, moveFavourite, removeFavourite, watchFavourites } from '#portal/commands/favourites.ts'
import { ownKeys, setOwnKeys } from '#portal/commands/own-keys.ts'
import { recordUse } from '#portal/commands/uses.ts'
import { forgetTraces } from '#portal/session/traces.ts'
import { checkKeys } from '#portal/commands/change-keys.ts'
import { commandFinder } from '#portal/palette/command-rows.ts'
import { commandContextAtom } from '#portal/list/command-context.ts'
import {
  favouriteNamesAtom,
  favouriteRecord,
  favouritesAtom,
  maxFavourites,
  nameFavourites,
  pointedAtom,
  setFavourites,
} from '#portal/list/favourites.ts'
import { commandById, commands, register } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { toastsAtom } from '#portal/platform/toasts.ts'
import { upsertRecords } from '#portal/records/entity-store.ts'
import { rightsChangesAtom } from '#portal/records/rights-changes.ts'

const signedInAs = (id: string): Me =>
  ({
    person: { id, name: 'Priya Raman', email: 'priya@example.com' },
    permissions: permissionIds.map((each) => ({ id: each, name: permissionNames[each] })),
    grants: { organizations: [], employers: [] },
  }) as unknown as Me

const sadia = favouriteRecord('employee', '100467')
const named = () => nameFavourites([{ entity: 'employee', id: '100467', title: 'Sadia Barnes', subtitle: 'Birch' }], [])
const [add, remove] = favouriteCommands as [Command, Command]

beforeEach(() => {
  localStorage.clear()
  store.set(toastsAtom, [])
  register({ entities: [employee, invoice], commands: favouriteCommands, ownKeys: {} })
  store.set(meAtom, signedInAs('priya'))
  store.set(rightsChangesAtom, (times) => times + 1)
  setFavourites([])
  return watchFavourites()
})

test('favourites are stored by person, without names', () => {
  named()
  addFavourite(sadia)
  addFavourite('view.favourite.add')
  expect(store.get(favouritesAtom)).toEqual([sadia, 'view.favourite.add'])
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/Sadia|Birch/)
  store.set(meAtom, signedInAs('tom'))
  expect(store.get(favouritesAtom)).toEqual([])
  store.set(meAtom, signedInAs('priya'))
  expect(store.get(favouritesAtom)).toEqual([sadia, 'view.favourite.add'])
})

test('a record has its name only while the API returns it, and not after a change of rights', () => {
  addFavourite(sadia)
  expect(commandById(sadia)?.title).toBe('Open employee 100467')
  named()
  expect(commandById(sadia)?.title).toBe('Open Sadia Barnes')
  nameFavourites([], ['employee:100467'])
  expect(commandById(sadia)?.title).toBe('Open employee 100467')
  named()
  store.set(rightsChangesAtom, (times) => times + 1)
  expect(store.get(favouriteNamesAtom).size).toBe(0)
  expect(commandById(sadia)?.title).toBe('Open employee 100467')
})

test('a favourite record can have a shortcut, which goes with it', () => {
  addFavourite(sadia)
  expect(checkKeys(sadia, 'b', {})).toEqual({ kind: 'free' })
  setOwnKeys({ [sadia]: 'b' })
  expect(commandById(sadia)?.keys).toEqual([{ scope: 'workspace', chord: 'b' }])
  removeFavourite(sadia)
  expect(commandById(sadia)).toBeUndefined()
  expect(ownKeys()).toEqual({})
})

test('a favourite record is found as a record, not as a command a second time', () => {
  named()
  addFavourite(sadia)
  expect(commandFinder(commands())('sadia', () => 0, 10)).toEqual([])
})

test('favourites outlast a sign-out, and the times when a record was opened do not', () => {
  setFavourites([sadia])
  recordUse(sadia)
  recordUse('view.theme')
  forgetTraces()
  const stored = JSON.stringify({ ...localStorage })
  expect(stored).toContain('admin-portal.favourites.priya')
  expect(JSON.parse(localStorage.getItem('admin-portal.uses.priya') ?? '{}')).toEqual({ 'view.theme': [expect.any(Number)] })
})

test('the message names a record on the page, also before the names of favourites are read', () => {
  setFavourites([sadia])
  upsertRecords('employee', [{ id: 100467, first_name: 'Sadia', last_name: 'Barnes', brand: 1, employer: { name: 'Birch' } }])
  removeFavourite(sadia)
  addFavourite(sadia)
  expect(store.get(toastsAtom).map(({ sentence }) => sentence)).toEqual([
    `Removed from favourites: ${isolated('Sadia Barnes')}`,
    `Added to favourites: ${isolated('Sadia Barnes')}`,
  ])
})

test('favourites move by one place and stop at the ends', () => {
  setFavourites(['a', 'b', 'c'])
  moveFavourite('c', -1)
  expect(store.get(favouritesAtom)).toEqual(['a', 'c', 'b'])
  moveFavourite('a', -1)
  expect(store.get(favouritesAtom)).toEqual(['a', 'c', 'b'])
})

test('one of the two commands is available, or both say why not', () => {
  const states = () => [add, remove].map((command) => availability(command, store.get(commandContextAtom)))
  expect(states()).toEqual([
    expect.objectContaining({ sentence: 'Open a record or a list first.' }),
    expect.objectContaining({ sentence: 'Open a record or a list first.' }),
  ])
  store.set(pointedAtom, sadia)
  expect(states().map(({ state }) => state)).toEqual(['ready', 'off'])
  setFavourites([sadia])
  expect(states().map(({ state }) => state)).toEqual(['off', 'ready'])
  setFavourites(Array.from({ length: maxFavourites }, (_, at) => `command.${at}`))
  expect(states()[0]).toMatchObject({ sentence: 'You have 50 favourites. Remove one first.' })
  store.set(pointedAtom, null)
})
