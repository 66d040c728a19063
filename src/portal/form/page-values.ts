import { useMemo } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { Field } from '#kernel/form.ts'
import { formatCents } from '#domain/money.ts'
import type { Values } from '#portal/form/form-field.tsx'
import { draftOf } from '#portal/form/form-values.ts'
import { shortDate } from '#portal/format/dates.ts'
import { integerText, percentageText } from '#portal/format/amount-text.ts'

/** Whether a field is asked for, given the other values. */
export function isAsked({ when }: Pick<Field, 'when'>, values: Values): boolean {
  if (!when) return true
  const value = values[when.field]
  if (when.in) return when.in.includes(value)
  return when.has === undefined ? value === when.is : Array.isArray(value) && value.includes(when.has)
}

/** Whether a field is visible: one that is not asked for is, if it has a fixed value instead. */
export const isShown = (field: Field, values: Values): boolean => isAsked(field, values) || field.when?.otherwise !== undefined

/** The effective values: a field that is not asked for has its `otherwise` value, or none. */
export const activeValues = (fields: readonly Field[], values: Values): Values =>
  Object.fromEntries(
    fields.map((field) => [field.name, isAsked(field, values) ? (values[field.name] ?? undefined) : field.when?.otherwise]),
  )

/** All current values; re-renders with them. */
export function useTyped(control: Control<Values>): Values {
  const kept = useWatch({ control })
  return useMemo(() => Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, value ?? undefined])), [kept])
}

/** Whether two values of a field are equal. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The fields whose value differs from the saved one. */
export function changed(fields: readonly Field[], values: Values, saved: Values): Field[] {
  const [now, before] = [activeValues(fields, values), activeValues(fields, saved)]
  return fields.filter(({ name }) => !same(now[name], before[name]))
}

/** The new saved values of clean fields: those that still have their initial value. */
export const followed = (fields: readonly Field[], typed: Values, before: Values, now: Values): Values =>
  Object.fromEntries(
    fields.flatMap(({ name }) => (same(typed[name], before[name]) && !same(now[name], before[name]) ? [[name, now[name]]] : [])),
  )

/** The unsaved input for a draft: null for cleared fields, and no secrets. */
export const draftFrom = (fields: readonly Field[], values: Values, saved: Values): Values =>
  draftOf(
    fields,
    Object.fromEntries(fields.flatMap(({ name }) => (same(values[name], saved[name]) ? [] : [[name, values[name] ?? null]]))),
  )

/** The initial values of a page: the saved ones, overridden by a draft. */
export const withDraft = (fields: readonly Field[], saved: Values, draft: Values | null): Values =>
  Object.fromEntries(fields.map(({ name }) => [name, draft && name in draft ? (draft[name] ?? undefined) : saved[name]]))

/** Choices preset by the address, `?kind=TIMEKEEPING`: set, but not saved. */
export const givenIn = (fields: readonly Field[], address: URLSearchParams): Values =>
  Object.fromEntries(
    fields.flatMap(({ name, options }) => {
      const value = address.get(name)
      return options.some((option) => option.value === value) ? [[name, value]] : []
    }),
  )

/** The section headings of a page in order of first appearance. */
export const sectionsOf = (fields: readonly Field[]): string[] => [...new Set(fields.map((field) => field.section ?? ''))]

/** A value as text, `$2.99`, `40%`, `On`. */
export function inWords(field: Field, value: unknown): string {
  if (value === undefined || value === null) return 'no value'
  if (field.kind === 'table' && Array.isArray(value))
    return `${value.length} ${field.one ?? 'row'}${value.length === 1 ? '' : 's'}`
  if (field.kind === 'switch') return value === true ? 'On' : 'Off'
  if (field.kind === 'date') return shortDate(String(value))
  if (typeof value !== 'number') return field.options.find((option) => option.value === value)?.label ?? String(value)
  if (field.kind === 'money') return formatCents(value)
  return field.kind === 'percentage' ? `${percentageText.format(value)}%` : integerText.format(value)
}

const simple = /^(money|percentage|integer|date|choice|switch|text|long-text)$/

/** Fields that two people changed, with the saved value if it is short: `Amount (now $700.00), Notes`. */
export const bothSay = (fields: readonly Field[], now: Values): string =>
  fields
    .map((field) => {
      const words = simple.test(field.kind) ? inWords(field, now[field.name] ?? undefined) : ''
      return words && words.length <= 60 ? `${field.title} (now ${words})` : field.title
    })
    .join(', ')
