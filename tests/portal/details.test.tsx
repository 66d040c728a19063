import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { choiceDetail, dateDetail, formValue, rowOf, textDetail } from '#contract/details.ts'
import { updateEmployee } from '#contract/employee-changes.ts'
import { intent } from '#contract/define.ts'
import { all } from '#domain/permissions.ts'
import { defineCommand } from '#kernel/command.ts'
import { formOf } from '#kernel/form.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { DetailFacts, detailColumns, detailTitles, detailValues } from '#portal/nouns/details.tsx'
import { showForm } from '#tests/portal/alone.tsx'

const details = {
  pay_code: textDetail('Pay code'),
  birth_date: dateDetail('Birth date', { needs: all('read:personal-details') }),
  language: choiceDetail('Preferred language', ['EN', 'ES'], { EN: 'English', ES: 'Spanish' }),
}
const one = { pay_code: 'REG', birth_date: '1990-02-03', language: 'ES' }

afterEach(cleanup)

test('a detail is a column with its title, permission and typed value', () => {
  const columns = detailColumns(details, { pay_code: { id: 'code' } })
  expect(columns.map(({ id, title, needs }) => [id, title, needs ?? null])).toEqual([
    ['code', 'Pay code', null],
    ['birth-date', 'Birth date', all('read:personal-details')],
    ['language', 'Preferred language', null],
  ])
  expect(columns.map((column) => column.text(one))).toEqual(['REG', '3 Feb 1990', 'Spanish'])
  expect(columns.map((column) => column.value?.(one) ?? null)).toEqual([null, { day: '1990-02-03' }, null])
  expect(columns.map((column) => column.text({ pay_code: null, language: 'FR' }))).toEqual(['—', '—', 'FR'])
})

test('a detail is a fact and a line of the history, a choice with its label', () => {
  const { container } = render(
    <dl>
      <DetailFacts of={details} one={one} />
    </dl>,
  )
  expect([...container.querySelectorAll('dt, dd')].map((each) => each.textContent)).toEqual([
    ...['Pay code', 'REG', 'Birth date', '3 Feb 1990', 'Preferred language', 'Spanish'],
  ])
  const words = changeWords(detailTitles(details), {}, detailValues(details))
  expect([words.field('language'), words.value('language', 'EN'), words.value('language', null)]).toEqual([
    ...['Preferred language', 'English', 'none'],
  ])
})

test('an answer without a detail, or with a value that the portal does not know, is accepted', () => {
  const row = z.object(rowOf(details))
  expect(row.parse({})).toEqual({})
  expect(row.parse({ pay_code: null, language: 'FR' })).toEqual({ pay_code: null, language: 'FR' })
  expect(row.safeParse({ birth_date: 'yesterday' }).success).toBe(false)
  expect([formValue(details.language, 'ES'), formValue(details.language, 'FR'), formValue(details.language, null)]).toEqual([
    ...['ES', undefined, undefined],
  ])
})

test('the form of a command clears a detail that may be empty', async () => {
  const change = intent(updateEmployee, {
    id: 'test.change-language',
    body: z.object({ language: details.language.field.nullable(), version: z.int() }),
    needs: all('write:employees'),
    event: 'Changed',
  })
  const command = defineCommand({ id: 'test.language', title: 'Change it', does: change, done: () => '', failed: () => '' })
  const submit = showForm({ command, schema: formOf(command, {} as never), start: { language: 'ES' } })
  const radio = (name: string) => screen.getByRole('radio', { name }) as HTMLInputElement
  expect([radio('None').checked, radio('Spanish').checked]).toEqual([false, true])
  fireEvent.click(radio('None'))
  expect(radio('None').checked).toBe(true)
  await act(async () => void fireEvent.keyDown(radio('None'), { key: 'Enter', ctrlKey: true }))
  await expect.poll(() => submit.mock.calls).toEqual([[{ language: null }]])
})
