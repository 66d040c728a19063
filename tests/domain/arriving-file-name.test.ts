import { expect, test } from 'vitest'
import { isSystemFile, isUnfinished, matchedName, originalOfCopy } from '#domain/arriving-file-name.ts'

test.each([
  '.in.acme_ee.csv',
  '.acme_ee.csv.Xa12bc',
  '.acme_ee.csv',
  'acme_ee.csv.filepart',
  'acme_ee.csv.part',
  'acme_ee.csv.upload',
  'acme_ee.csv.writing',
  'acme_ee.csv.tmp',
  'ACME_EE.CSV.TMP',
  'acme_ee.xlsx.crdownload',
  'acme_ee.csv_uploading',
  'acme_ee.csv.1a2b3c',
])('%s is a temporary name', (name) => {
  expect([isUnfinished(name), isSystemFile(name)]).toEqual([true, false])
})

test.each(['~$acme_ee.xlsx', '._acme_ee.csv', '.DS_Store', 'Thumbs.db', 'THUMBS.DB', 'desktop.ini', '.~lock.acme_ee.csv#'])(
  '%s belongs to a program and is no customer file',
  (name) => {
    expect([isSystemFile(name), isUnfinished(name)]).toEqual([true, false])
  },
)

test.each([
  'acme_ee.csv',
  'ACME_EE.XLSX',
  'acme_20260105_tk.csv',
  'temp_ee.csv',
  'part_ee.csv',
  'acme_ee.csv.zip',
  'acme_ee.csv.pgp',
])('%s is a final name', (name) => {
  expect([isUnfinished(name), isSystemFile(name)]).toEqual([false, false])
})

test.each([
  ['acme_ee (1).csv', 'acme_ee.csv'],
  ['acme_ee(12).xlsx', 'acme_ee.xlsx'],
  ['acme_ee - Copy.csv', 'acme_ee.csv'],
  ['acme_ee - Copy (2).csv', 'acme_ee.csv'],
  ['acme_ee copy 3.csv', 'acme_ee.csv'],
  ['acme_ee - Kopie.csv', 'acme_ee.csv'],
  ['Copy of acme_tk.csv', 'acme_tk.csv'],
  ['acme_tk 2.csv', 'acme_tk.csv'],
  ['withheld (1).csv', 'withheld.csv'],
])('%s is a copy of %s', (name, original) => {
  expect(originalOfCopy(name)).toBe(original)
})

test.each(['acme_ee.csv', 'week 48.csv', 'copyshop_ee.csv', 'acme copy_ee.csv', '(1).csv'])(
  '%s is not the name of a copy',
  (name) => {
    expect(originalOfCopy(name)).toBeNull()
  },
)

test('names match regardless of case and of accent encoding', () => {
  expect(matchedName(' ACME_EE.CSV ')).toBe('acme_ee.csv')
  expect(matchedName('cafe\u0301_ee.csv')).toBe(matchedName('caf\u00e9_ee.csv'))
})
