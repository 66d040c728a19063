import type { z } from 'zod'
import type { AnyIntent, Call } from '#contract/define.ts'
import type { Employee, LinkedUser } from '#contract/employees.ts'
import type { User } from '#contract/users.ts'
import type { EmployeeFacts } from '#domain/employee.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'
import { isolated } from '#domain/text.ts'
import type { KycStatus } from '#domain/user.ts'
import { kycStatuses } from '#domain/user.ts'
import { employee } from '#entities/employee.ts'
import { user } from '#entities/user.ts'
import { type Command, defineCommand, type PreviewRow } from '#kernel/command.ts'

/** A change of a user that is offered on the record of the user and on that of the linked employee. */
export interface UserChange<P> {
  /** Id of the command on a user; the one on an employee ends in `.linked`. */
  id: string
  /** Title of the command on a user, and of the one on an employee. */
  titles: readonly [ofUser: string, ofEmployee: string]
  aliases?: readonly string[]
  icon?: string
  /** Lists of users and employees share these filters. */
  suggestedFilter?: Readonly<Record<string, string>>
  does: AnyIntent
  form?: z.ZodObject
  start?: (one: LinkedUser) => Partial<P>
  call: (one: LinkedUser, params: P) => Call
  undo?: (before: LinkedUser, after: LinkedUser) => Call | null
  preview?: (one: LinkedUser, params: Partial<P>) => readonly PreviewRow[]
  warning?: (one: LinkedUser) => string | null
  irreversible?: true
  done: (name: string) => string
  failed?: (name: string) => string
}

const nameOf = (one: LinkedUser): string => isolated(`${one.first_name} ${one.last_name}`)

const notLinked = refuse('not-linked', 'This employee is not linked to a user.')

/** Applies a rule about employees to the one who is linked to a user. */
export const ofEmployee =
  (rule: (employee: EmployeeFacts) => Refusal | null) =>
  (one: User): Refusal | null =>
    one.employee
      ? rule({ status: one.employee.status, user_id: one.id, user: one })
      : refuse('not-linked', 'This user is not linked to an employee.')

/** Common parts of both commands; `userOf` is the user of a target, null if it has none. */
function changeOn<T, P>(change: UserChange<P>, userOf: (target: T) => LinkedUser | null | undefined) {
  const { call, form: schema, undo, start, preview, warning, irreversible, done, failed, titles: _, ...common } = change
  const withUser = <R>(target: T, then: (one: LinkedUser) => R, otherwise: R): R => {
    const one = userOf(target)
    return one ? then(one) : otherwise
  }
  const name = (target: T) => withUser(target, nameOf, 'the user')
  return {
    ...common,
    unavailable: { rule: (target: T) => withUser<Refusal | null>(target, (one) => common.does.refuses(one), notLinked) },
    form: {
      ...(schema ? { schema } : {}),
      start: (target: T | undefined) => (start && target !== undefined ? withUser<Partial<P>>(target, start, {}) : {}),
    },
    plan: (target: T, params: P) => withUser<readonly Call[]>(target, (one) => [call(one, params)], []),
    ...(irreversible ? { undo: { irreversible } } : {}),
    ...(undo && {
      undo: ({ before, after }: { before: T; after: T }) => {
        const [then, now] = [userOf(before), userOf(after)]
        const call = then && now ? undo(then, now) : null
        return call && [call]
      },
    }),
    ...((preview || warning) && {
      preview: {
        ...(preview && {
          rows: (target: T, params: Partial<P>) =>
            withUser<readonly PreviewRow[]>(target, (one) => preview(one, params).filter((row) => row.before !== row.after), []),
        }),
        ...(warning && { warning: (target: T) => withUser(target, warning, null) }),
      },
    }),
    done: (target: T) => done(name(target)),
    ...(failed && { failed: (target: T) => failed(name(target)) }),
  }
}

/** The preview of a decision about the identity check. */
export const reviewed =
  (status: KycStatus) =>
  ({ kyc_status }: LinkedUser): readonly PreviewRow[] => [
    { of: 'Identity check', what: 'Status', before: kycStatuses.label(kyc_status), after: kycStatuses.label(status) },
  ]

/** The two commands of a change. */
export const changeOfUser = <P = Record<string, never>>(change: UserChange<P>): Command[] => [
  defineCommand<User, AnyIntent, P>({
    ...changeOn<User, P>(change, (one) => one),
    id: change.id,
    title: change.titles[0],
    on: user,
  }),
  defineCommand<Employee, AnyIntent, P>({
    ...changeOn<Employee, P>(change, (one) => one.user),
    id: `${change.id}.linked`,
    title: change.titles[1],
    on: employee,
  }),
]
