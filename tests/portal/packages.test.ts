import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const sources = globSync(['src/{portal,kernel,contract,domain}/**/*.{ts,tsx,css}', 'commands/**/*.ts', '*.config.ts']).map(
  (path) => readFileSync(path, 'utf8'),
)
const imports = (name: string) => sources.some((text) => new RegExp(`(from|import) '${name}(/[^']*)?'`).test(text))

test.each([
  'react',
  'react-dom',
  'cmdk',
  'jotai',
  'ky',
  '@tanstack/react-virtual',
  'react-hook-form',
  'zod',
  'tailwindcss',
  '@headlessui/react',
  'date-fns',
  'hotkeys-js',
  'vite',
  'vitest',
])('[CARD-010] %s is imported where its work is done', (name) => {
  expect(imports(name)).toBe(true)
})
