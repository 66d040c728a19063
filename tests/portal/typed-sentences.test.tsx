import { leadsToChange } from '#kernel/command.ts'
import { describe, expect, test } from 'vitest'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import { user } from '#entities/user.ts'
import { writeOff } from '#entities/write-off.ts'
import { registerPanes } from '#portal/list/panes.ts'
import invoices from '#portal/nouns/invoices/list.tsx'
import { exampleRows } from '#portal/palette/sentence-examples.ts'
import { openList, selected, type } from '#tests/portal/typing.ts'

/** What Enter would do, with the values and filters that the row shows; null if it would do nothing. */
function onEnter(text: string, selection: ReturnType<typeof selected> | null = null): string | null {
  const { active } = type(text, { selection })
  if (!active) return null
  return active.kind === 'command' && active.spoken?.parts.length
    ? `${active.title} | ${active.spoken.parts.join(' · ')}`
    : active.title
}

const first = (text: string): string | undefined => {
  const [row] = type(text).rows
  return row?.kind === 'command' && row.spoken?.parts.length ? `${row.title} | ${row.spoken.parts.join(' · ')}` : row?.title
}

describe('what staff type', () => {
  test.each([
    // Values of a form.
    ['pause sadia barnes suspected fraud', 'Pause employee: Sadia Barnes | Reason: suspected fraud'],
    ['note 100467 called back about card', 'Add employee note: Sadia Barnes | Note: called back about card'],
    ['repay INV-40058 250 on nov 20', 'Add repayment: INV-40058 | Amount: $250.00 · Repayment date: 20 Nov 2026'],
    ['INV-40058 paid 250', 'Add repayment: INV-40058 | Amount: $250.00'],
    ['negative repayment INV-40058 -50', 'Add repayment: INV-40058 | Amount: −$50.00'],
    ['negative repayment of 50 on INV-40102', 'Add repayment: INV-40102 | Amount: −$50.00'],
    ['INV-40102 negative repayment 50', 'Add repayment: INV-40102 | Amount: −$50.00'],
    ['roll over 10 of INV-40102', 'Roll overpayment over: INV-40102 | Rollover amount: $10.00'],
    [
      'change pay frequency of 100467 to weekly',
      'Change pay frequency and next pay date: Sadia Barnes | Payroll frequency: Weekly',
    ],
    ['change due date INV-40058 to dec 20', 'Change due date: INV-40058 | Due date: 20 Dec 2026'],
    ['postpone INV-40058 to dec 20', 'Change due date: INV-40058 | Due date: 20 Dec 2026'],
    ['change email maria to maria.l@new.com', 'Edit account manager: Maria Lind | E-mail: maria.l@new.com'],
    // Records as values.
    ['link maria.lind@ to acme', 'Change connections of account manager: Maria Lind | Employers: Acme'],
    ['link maria to acme', 'Change connections of account manager: Maria Lind | Employers: Acme'],
    [
      'link maria to acme and laurel',
      'Change connections of account manager: Maria Lind | Organizations: Laurel Group · Employers: Acme',
    ],
    ['link maria to employer 200102', 'Change connections of account manager: Maria Lind | Employers: Acme'],
    ['unlink maria from acme', 'Change connections of account manager: Maria Lind | Employers: without Acme'],
    ['set csm laurel to jane', 'Set customer success manager: Laurel Group | Customer success manager: Jane Doe'],
    ['set csm laurel jane doe', 'Set customer success manager: Laurel Group | Customer success manager: Jane Doe'],
    ['import file laurel', 'Import file | Organization: Laurel Group'],
    // A command and a record.
    ['sadia pause', 'Pause employee: Sadia Barnes'],
    ['close INV-40058', 'Close invoice: INV-40058'],
    ['download INV-40058', 'Download invoice: INV-40058'],
    ['download ewa file birch', 'Download EWA file: Deduction of INV-40058'],
    ['sadia transactions', 'Show Transactions of employee: Sadia Barnes'],
    ['sadia bank account', 'Show Linked Accounts of employee: Sadia Barnes'],
    ['sadia available balance', 'Show Pay period of employee: Sadia Barnes'],
    ['mapping birch', 'Show File Mapping of employer: Birch Foods'],
    ['clients of maria', 'Show Connections of account manager: Maria Lind'],
    ['INV-40058 lines', 'Show Employees of invoice: INV-40058'],
    ['laurel employers', 'Show Employers of organization: Laurel Group'],
    ['who manages acme', 'Explain access to employer: Acme'],
    ['who changed laurel config', 'Show History of organization: Laurel Group · Edit organization configuration'],
    ['what did kim do', 'Show what admin did: Kim Novak'],
    // Lists.
    ['refund overpaid laurel', 'Show overpaid invoices · Search for “laurel”'],
    ['overdue invoices laurel > 500', 'Show overdue invoices · Outstanding over $500.00 · Search for “laurel”'],
    // The name of a record between the words of a command.
    ['change INV-40058 due date to dec 20', 'Change due date: INV-40058 | Due date: 20 Dec 2026'],
    ['set laurel csm to jane', 'Set customer success manager: Laurel Group | Customer success manager: Jane Doe'],
    ['change 300467 email to sadia@new.com', 'Change user e-mail: Sadia Barnes | E-mail: sadia@new.com'],
    ['reject WOF-70001: duplicate', 'Reject write-off: Sadia Barnes, INV-40058 | Reason: duplicate'],
    ['give maria access to acme', 'Change connections of account manager: Maria Lind | Employers: Acme'],
    ['sadia barnes pause fraud', 'Pause employee: Sadia Barnes | Reason: fraud'],
    // A field by its title, without a colon.
    ['approve WOF-70001 amount 50', 'Approve write-off: Sadia Barnes, INV-40058 | Approved amount: $50.00'],
    ['approve WOF-70001 approved amount 50', 'Approve write-off: Sadia Barnes, INV-40058 | Approved amount: $50.00'],
    ['approve WOF-70001 with amount of 50', 'Approve write-off: Sadia Barnes, INV-40058 | Approved amount: $50.00'],
    [
      'approve WOF-70001 amount 50 duplicate',
      'Approve write-off: Sadia Barnes, INV-40058 | Approved amount: $50.00 · Reason: duplicate',
    ],
    ['approve WOF-70001 amount is fine', 'Approve write-off: Sadia Barnes, INV-40058 | Reason: amount is fine'],
    [
      'approve WOF-70001 20 comments paid by phone',
      'Approve write-off: Sadia Barnes, INV-40058 | Approved amount: $20.00 · Comments: paid by phone',
    ],
    ['repay INV-40058 with 36', 'Add repayment: INV-40058 | Amount: $36.00'],
    ['repay INV-40058 date nov 20 amount 36', 'Add repayment: INV-40058 | Amount: $36.00 · Repayment date: 20 Nov 2026'],
    ['note 100467 amount 50 was wrong', 'Add employee note: Sadia Barnes | Note: amount 50 was wrong'],
    ['note 100467 asked to pause 100468', 'Add employee note: Sadia Barnes | Note: asked to pause 100468'],
    ['change due date INV-40058 to end of next month', 'Change due date: INV-40058 | Due date: 31 Dec 2026'],
    ['tom okafor pause lost card', 'Pause employee: Tom Okafor | Reason: lost card'],
    ['refund all', 'Show all invoices · Status is Overpaid'],
    ['acme paused employees', 'Show paused employees · Employer is Acme'],
    ['show employees of laurel paused', 'Show all employees · Status is Paused · Organization is Laurel Group'],
    ['flagged employees', 'Show all employees · Search for “flagged”'],
    ['export overdue', 'Show overdue invoices'],
    ['why can maria not approve write-offs', 'Explain access of account manager: Maria Lind · Approve write-off'],
    ['how much does birch foods owe', 'Show open invoices · Employer is Birch Foods'],
    ['deductions pending older than 3 days', 'Show all deductions · Report date 1 Jan 1900 to 26 Nov 2026 · Status is Pending'],
    ['write-offs pending more than 30 days', 'Show all write-offs · Suggested 1 Jan 1900 to 30 Oct 2026 · Status is Pending'],
    ['paused since november', 'Show paused employees'],
    ['invoices $1,000-$2,000', 'Show all invoices · Outstanding $1,000.00 to $2,000.00'],
    ['invoices over 1000 unpaid', 'Show open invoices · Outstanding over $1,000.00'],
    ['repayments birch over 500', 'Show all repayments · Amount over $500.00 · Search for “birch”'],
    ['approve write-offs under 50', 'Show all write-offs · Suggested amount under $50.00'],
    ['birch paused', 'Show paused employees · Search for “birch”'],
    ['laurel overdue', 'Show overdue invoices · Search for “laurel”'],
    ['birch foods paused', 'Show paused employees · Employer is Birch Foods'],
    ['overdue invoices laurel group > 500', 'Show overdue invoices · Outstanding over $500.00 · Organization is Laurel Group'],
    ['overdue invoices of employer 200101', 'Show overdue invoices · Employer is Birch Foods'],
    ['resume everyone at birch foods', 'Show all employees · Employer is Birch Foods'],
    ['employees status:paused employer:birch', 'Show all employees · Status is Paused · Employer is Birch Foods'],
    ['repayments amount:>500', 'Show all repayments · Amount over $500.00'],
    ['mark all as read', 'Open notices'],
    ['terminated employees birch', 'Show terminated employees · Search for “birch”'],
    ['employees without user birch', 'Show all employees · User link is No · Search for “birch”'],
    ['employees paused this month', 'Show all employees · Status is Paused'],
    ['employees paused since monday', 'Show all employees · Status is Paused'],
    ['resume everyone paused before november', 'Show all employees · Status is Paused'],
    ['employees hired before november', 'Show all employees · Hire date 1 Jan 1900 to 31 Oct 2026'],
    ['invoices due since friday', 'Show all invoices · Due date 27 Nov 2026 to 30 Nov 2026'],
    ['invoices due end of month', 'Show all invoices · Due date is 30 Nov 2026'],
    ['invoices, oldest first', 'Show all invoices · oldest first'],
    ['overdue invoices largest first', 'Show overdue invoices · largest first'],
    ['top 5 invoices', 'Show all invoices · largest first'],
    ['sum of overdue invoices', 'Show overdue invoices'],
    ['last 5 repayments of birch', 'Show all repayments · Employer is Birch Foods · latest first'],
    ['invoices sorted by due date', 'Show all invoices · sorted by due date, descending'],
    ['sort overdue invoices by amount asc', 'Show overdue invoices · sorted by outstanding amount, ascending'],
    ['overdue invoices by due date, oldest first', 'Show overdue invoices · sorted by due date, ascending'],
    ['employees by name', 'Show all employees · sorted by name, ascending'],
    ['repayments by birch', 'Show all repayments · Search for “by birch”'],
    // Behind a word for it the company is a filter, several of them too.
    ['unpaid invoices of birch', 'Show open invoices · Employer is Birch Foods'],
    ['employees of birch and cedar east', 'Show all employees · Employer is Birch Foods or Cedar East'],
    ['employees of birch, cedar east', 'Show all employees · Employer is Birch Foods or Cedar East'],
    ['overdue invoices birch foods or cedar east', 'Show overdue invoices · Employer is Birch Foods or Cedar East'],
    ['employees birch and nobody', 'Show all employees · Search for “birch and nobody”'],
    ["show me birch's overdue invoices", 'Show overdue invoices · Search for “birch”'],
    ["open sadia's pay period", 'Show Pay period of employee: Sadia Barnes'],
    ['repayments ytd', 'Show all repayments · Repayment date 1 Jan 2026 to 30 Nov 2026'],
    ['repayments month to date', 'Show all repayments · Repayment date 1 Nov 2026 to 30 Nov 2026'],
    ['due within the next 2 weeks', 'Show all invoices · Due date 30 Nov 2026 to 13 Dec 2026'],
    ['invoices due within a week', 'Show all invoices · Due date 30 Nov 2026 to 6 Dec 2026'],
    ['paused employees of birch since october', 'Show paused employees · Employer is Birch Foods'],
    ['repayments birch since october', 'Show all repayments · Repayment date 1 Oct 2026 to 30 Nov 2026 · Search for “birch”'],
    ['change due date of overdue invoices to dec 15', 'Show overdue invoices'],
    ['undo pause sadia', 'Resume employee: Sadia Barnes'],
    ['edit birch', 'Edit employer: Birch Foods'],
    // Several by their names, each of which is that of one.
    ['pause sadia and tom okafor', 'Pause employee: Sadia Barnes, Tom Okafor'],
    ['pause sadia barnes and tom okafor fraud', 'Pause employee: Sadia Barnes, Tom Okafor | Reason: fraud'],
    [
      'pause sadia, tom okafor and tom alvarez lost card',
      'Pause employee: Sadia Barnes, Tom Okafor, Tom Alvarez | Reason: lost card',
    ],
    // What a reason may begin with.
    ['pause sadia no show', 'Pause employee: Sadia Barnes | Reason: no show'],
    ['pause sadia lost card', 'Pause employee: Sadia Barnes | Reason: lost card'],
    ['reject WOF-70001 duplicate of INV-40102', 'Reject write-off: Sadia Barnes, INV-40058 | Reason: duplicate of INV-40102'],
    // An amount in front of the record.
    ['120 INV-40102 refund', 'Refund overpayment: INV-40102 | Refund amount: $120.00'],
    ['5 WOF-70001 approve', 'Approve write-off: Sadia Barnes, INV-40058 | Approved amount: $5.00'],
    ['$250 INV-40058 repay', 'Add repayment: INV-40058 | Amount: $250.00'],
    ['INV-40058 250 repay', 'Add repayment: INV-40058 | Amount: $250.00'],
    // As people write to each other.
    ['hi, could you please pause sadia barnes for fraud? thanks!', 'Pause employee: Sadia Barnes | Reason: for fraud'],
    ['could you pause 100467?', 'Pause employee: Sadia Barnes'],
    ['invoices that are not paid and not overdue', 'Show all invoices · Status is not Paid, Overdue'],
    ['paused employees that were hired this year', 'Show paused employees · Hire date 1 Jan 2026 to 31 Dec 2026'],
    ["birch foods' overdue invoices", 'Show overdue invoices · Employer is Birch Foods'],
    ['acme emps paused', 'Show paused employees · Employer is Acme'],
    ['invoices 500 - 1000 acme', 'Show all invoices · Outstanding $500.00 to $1,000.00 · Employer is Acme'],
    ['has sadia been terminated?', 'Show terminated employees · Search for “sadia”'],
    // A number behind an id is an amount, or part of a text.
    ['repay INV-40058 6000', 'Add repayment: INV-40058 | Amount: $6,000.00'],
    ['repay 6000 INV-40058', 'Add repayment: INV-40058 | Amount: $6,000.00'],
    ['repay INV-40058 12000', 'Add repayment: INV-40058 | Amount: $12,000.00'],
    ['note INV-40058 1250 promised', 'Add invoice note: INV-40058 | Note: 1250 promised'],
    ['pause 100467 4711 case number', 'Pause employee: Sadia Barnes | Reason: 4711 case number'],
    ['close INV-40058, 40102', 'Close invoice: 2 invoices'],
    ['pause 100467 999999998 moving', 'Pause employee: 2 employees | Reason: moving'],
    ['repay INV-40058 $250,', 'Add repayment: INV-40058 | Amount: $250.00'],
    ['repay INV-40058 250.00.', 'Add repayment: INV-40058 | Amount: $250.00'],
    // A day without a year is the nearest one.
    ['repay INV-40058 250 dec 1', 'Add repayment: INV-40058 | Amount: $250.00 · Repayment date: 1 Dec 2026'],
    ['repay INV-40058 250 oct 15', 'Add repayment: INV-40058 | Amount: $250.00 · Repayment date: 15 Oct 2026'],
    // The noun that is named, whatever else may be pending.
    ['approve pending time entries', 'Show pending time entries'],
    ['approve pending deductions', 'Show pending deductions'],
    ['approve all timekeeping of yesterday', 'Show all time entries · Worked is 29 Nov 2026'],
    ['reject all pending writeoffs', 'Show pending write-offs'],
    ['note on all overdue invoices: called', 'Show overdue invoices · Search for “called”'],
    // What is excluded.
    ['invoices not sent or overdue', 'Show all invoices · Status is not Sent, Overdue'],
    ['employees not active or paused', 'Show all employees · Status is not Active, Paused'],
    // A value for the form is no filter.
    ['change due date of all overdue invoices to dec 15', 'Show overdue invoices'],
    ['switch all invoices of acme to self pay', 'Show all invoices · Employer is Acme'],
    ['approve write-offs under 50 reason terminated', 'Show all write-offs · Suggested amount under $50.00'],
    ['create organization called "Pause Ltd"', 'Create organization | Name: Pause Ltd'],
    ['can you please pause 100467 fraud. Thanks, Maria', 'Pause employee: Sadia Barnes | Reason: fraud'],
    ['reject WOF-70001 not enough evidence', 'Reject write-off: Sadia Barnes, INV-40058 | Reason: not enough evidence'],
    ['reject WOF-70001 duplicate of INV-40058', 'Reject write-off: Sadia Barnes, INV-40058 | Reason: duplicate of INV-40058'],
    // The record between values.
    ['repay 100 INV-40058 yesterday', 'Add repayment: INV-40058 | Amount: $100.00 · Repayment date: 29 Nov 2026'],
    ['paid 100 on INV-40058 yesterday', 'Add repayment: INV-40058 | Amount: $100.00 · Repayment date: 29 Nov 2026'],
    [
      'add repayment of $1,250.50 to INV-40058 dated 11/28',
      'Add repayment: INV-40058 | Amount: $1,250.50 · Repayment date: 28 Nov 2026',
    ],
    ['add a repayment of 250 on INV-40058', 'Add repayment: INV-40058 | Amount: $250.00'],
    ['i need to add a repayment of 250 dollars to INV-40058', 'Add repayment: INV-40058 | Amount: $250.00'],
    ['post repayment of 250 against INV-40058', 'Add repayment: INV-40058 | Amount: $250.00'],
    ['repay 250 40058', 'Add repayment: INV-40058 | Amount: $250.00'],
    ['approve 50 WOF-70001', 'Approve write-off: Sadia Barnes, INV-40058 | Approved amount: $50.00'],
    ['push INV-40058 due date to friday', 'Change due date: INV-40058 | Due date: 4 Dec 2026'],
    ['extend INV-40058 to dec 10', 'Change due date: INV-40058 | Due date: 10 Dec 2026'],
    ['when was sadia paused', 'Show History of employee: Sadia Barnes'],
    ['why was INV-40058 closed', 'Show History of invoice: INV-40058'],
    // The owner of what is asked for.
    ["sadia's transactions", 'Show Transactions of employee: Sadia Barnes'],
    ["laurel's employers", 'Show Employers of organization: Laurel Group'],
    ["what is maria's access", 'Explain access of account manager: Maria Lind'],
    ["birch foods's overdue invoices", 'Show overdue invoices · Employer is Birch Foods'],
    ["pause sadia barnes customer's card lost", "Pause employee: Sadia Barnes | Reason: customer's card lost"],
    ["sadia barnes pause customer's card lost", "Pause employee: Sadia Barnes | Reason: customer's card lost"],
    // Days and counts.
    ['deductions friday', 'Show all deductions · Report date is 27 Nov 2026'],
    ['employees friday', 'Show all employees · Search for “friday”'],
    ['employees added today', 'Show all employees · Search for “added”'],
    ['employees pay period reports today', 'Show all employees · Pay period reports is Today'],
    ['sadia worked 8 hours yesterday', 'Show all time entries · Worked is 29 Nov 2026 · Search for “sadia worked 8”'],
    ['time entries worked 8', 'Show all time entries · Worked is 8 Nov 2026'],
    ['blocked employees', 'Show paused employees'],
    ['paused or blocked employees', 'Show all employees · Status is Paused'],
    ['export overdue invoices as csv', 'Show all invoices · Status is Overdue'],
    ['export employees as excel', 'Show all employees'],
    ['invite joe@x.com as admin', 'Create admin | E-mail: joe@x.com'],
    ['add joe@x.com as an account manager', 'Create account manager | E-mail: joe@x.com'],
    // A request from a chat.
    ['can you please pause 100467 fraud', 'Pause employee: Sadia Barnes | Reason: fraud'],
    ['could you pause sadia barnes fraud', 'Pause employee: Sadia Barnes | Reason: fraud'],
    ['connect maria lind to acme', 'Change connections of account manager: Maria Lind | Employers: Acme'],
    ['unreconciled repayments birch', 'Show all repayments · Reconciliation is Unreconciled/Failed · Search for “birch”'],
    ['repay #40058 36', 'Add repayment: INV-40058 | Amount: $36.00'],
    ['invoices due this week', 'Show all invoices · Due date 29 Nov 2026 to 5 Dec 2026'],
    ['overdue more than 30 days', 'Show overdue invoices · Due date 1 Jan 1900 to 30 Oct 2026'],
    ['birch invoices october', 'Show all invoices · Issue date 1 Oct 2026 to 31 Oct 2026 · Search for “birch”'],
    ['kyc under review', 'Show all employees · Identity check is Under review'],
    ['audit kim today', 'Show all audit events · Date is 30 Nov 2026 · Search for “kim”'],
    ['$60.00', 'Show all invoices · Outstanding $60.00 to $60.01'],
    // The portal itself.
    ['back', 'Back to the previous screen'],
    ['settings', 'Switch theme'],
    ['dark mode', 'Switch theme'],
    ['g e', 'Open employees'],
    ['Inv. 40058', 'INV-40058'],
    ['unmatched bank results', 'Open unmatched bank results'],
  ])('%s: %s', (text, expected) => {
    expect(onEnter(text)).toBe(expected)
  })

  // What changes something is the person's choice if a name is that of several, or if only a synonym was typed.
  test.each([
    ['link maria to cedar', 'Change connections of account manager: Maria Lind | Employers: Cedar East (200104)'],
    ['pause tom fraud', 'Pause employee: Tom Okafor | Reason: fraud'],
    ['add repayment birch 250', 'Add repayment: INV-40058 | Amount: $250.00'],
    ['rollover INV-40102', 'Roll overpayment over: INV-40102'],
    ['block sadia', 'Pause employee: Sadia Barnes'],
    ['reset sadia password', 'Force user password change: Sadia Barnes'],
    ['disable admin kim', 'Remove admin: Kim Novak'],
    ['fees laurel', 'Edit organization configuration: Laurel Group'],
    [
      'add account manager jane doe jane@company.com for acme',
      'Create account manager | Full name: jane doe · E-mail: jane@company.com · Employers: Acme',
    ],
    ['rename birch foods', 'Edit employer: Birch Foods'],
    ['adjust balance 100467 50 wrong hours', 'Adjust work period balance: Sadia Barnes'],
    ['note for sadia barnes: wants a call', 'Add employee note: Sadia Barnes | Note: wants a call'],
    ['invite bob@acme.com', 'Create account manager | E-mail: bob@acme.com'],
    ['new employer birch south', 'Add employer to organization | not understood: birch south'],
  ])('%s: offers %s, and highlights nothing', (text, expected) => {
    expect([first(text), onEnter(text)]).toEqual([expected, null])
  })

  test.each([
    ['void invoice', /Close it, or suggest write-offs/],
    ['unlock user sadia', /resume the employee if they are paused, or force a password change/],
    ['unlock admin kim', /ends by itself within 15 minutes/],
    ['cancel repayment REP-70001', /Record its ACH return/],
    ['change my password', /choose Forgot password/],
    ['expired rewards', /Rewards is a tab of an employee: type a name with it/],
    ['linked accounts nobody', /Linked accounts are found in the tab Linked Accounts of an employee/],
  ])('%s: a sentence says what to do instead', (text, sentence) => {
    const { rows, empty } = type(text)
    expect([rows, empty]).toEqual([[], expect.stringMatching(sentence)])
  })

  test('beside a list, part of a name is searched for, or a filter by the records with such names', () => {
    const { rows } = type('cedar paused')
    expect(rows.slice(0, 3).map(({ title }) => title)).toEqual([
      'Show paused employees · Search for “cedar”',
      'Show paused employees · Employer is Cedar East',
      'Show paused employees · Employer is Cedar West',
    ])
  })

  test.each([
    ['who can resume 100467', 'Resume employee: Sadia Barnes'],
    ['when did you pause tom', 'Pause employee: Tom Okafor'],
    ['who can pause tom', 'Pause employee: Tom Okafor'],
    ['why did you close INV-40058', 'Close invoice: INV-40058'],
    ['pause 100467?', 'Pause employee: Sadia Barnes'],
    ['pause sadia?', 'Pause employee: Sadia Barnes'],
  ])('%s: a question highlights no change', (text, offered) => {
    const { rows, active } = type(text)
    expect([rows.map(({ title }) => title).includes(offered), active]).toEqual([true, null])
  })

  test.each(["don't pause 100467", 'never pause 100467', 'just pause 100467'])(
    '%s: what is no sentence leads at most to the record that it names',
    (text) => {
      expect(type(text).rows.map(({ title }) => title)).toEqual(['Sadia Barnes'])
    },
  )

  test.each([
    'pause all but tom',
    'pause everyone except birch',
    'invoices other than laurel',
    'resume all except birch foods',
    'approve write-offs not under 50',
    'approve write-offs except over 100',
  ])('%s: what cannot be excluded is said, and nothing is offered', (text) => {
    const { rows, empty } = type(text)
    expect([rows, empty]).toEqual([[], expect.stringMatching(/is not understood\. Only the value of a filter can be excluded/)])
  })

  test.each([
    ['approve write-offs except fraud', 'Show all write-offs · Reason is not Fraud'],
    ['employees other than paused', 'Show all employees · Status is not Paused'],
    ['employees paused or active', 'Show all employees · Status is Paused, Active'],
    ['employees hire date is empty', 'Show all employees · Hire date is empty'],
    ['employees without hire date', 'Show all employees · Hire date is empty'],
    ['employees hire date is not empty', 'Show all employees · Hire date is not empty'],
    ['approve all write-offs but fraud', 'Show all write-offs · Reason is not Fraud'],
    ['invoices due in 3 days', 'Show all invoices · Due date is 3 Dec 2026'],
    ['invoices neither paid nor draft', 'Show all invoices · Status is not Paid, Draft'],
    ['invoices over 1000 or under 10', 'Show all invoices · Outstanding over $1,000.00'],
    ['who works at birch foods', 'Show employees of Birch Foods'],
    ['pause for sadia fraud', 'Pause employee: Sadia Barnes | Reason: fraud'],
    ['write-offs i have to approve', 'Show pending write-offs'],
    ['pause only birch employees', 'Show all employees · Search for “birch”'],
    ['pause 100467 reason lost phone', 'Pause employee: Sadia Barnes | Reason: lost phone'],
    ['note 100467 did she call back?', 'Add employee note: Sadia Barnes | Note: did she call back?'],
    ['note 100467: card expired', 'Add employee note: Sadia Barnes | Note: card expired'],
    ['write-offs at least 50', 'Show all write-offs · Suggested amount over $49.99'],
    ['approve write-offs up to 50', 'Show all write-offs · Suggested amount under $50.01'],
    ['write-offs 50 or less', 'Show all write-offs · Suggested amount under $50.01'],
    ['how many employees are paused', 'Show paused employees'],
    ['invoice of birch', 'Show Invoices of employer: Birch Foods'],
    ['repay INV-40058 1.5k', 'Add repayment: INV-40058 | Amount: $1,500.00'],
    ['repay INV-40058 250 dollars', 'Add repayment: INV-40058 | Amount: $250.00'],
    ['repay INV-40058 250 date:2026-11-20', /Add repayment: INV-40058 \| Amount: \$250\.00 · Repayment date: 20 Nov 2026/],
    ['change due date of INV-40058 to dec 20', 'Change due date: INV-40058 | Due date: 20 Dec 2026'],
    // What the record has: its whole amount, and its own day.
    ['repay INV-40058 in full', 'Add repayment: INV-40058 | Amount: $6,000.00'],
    ['repay INV-40058 all of it', 'Add repayment: INV-40058 | Amount: $6,000.00'],
    ['add repayment in full to INV-40058', 'Add repayment: INV-40058 | Amount: $6,000.00'],
    ['repay INV-40058 the rest on nov 20', 'Add repayment: INV-40058 | Amount: $6,000.00 · Repayment date: 20 Nov 2026'],
    ['approve WOF-70001 in full', 'Approve write-off: Sadia Barnes, INV-40058 | Approved amount: $5.00'],
    ['extend INV-40058 by 7 days', 'Change due date: INV-40058 | Due date: 16 Nov 2026'],
    ['postpone INV-40058 by a week', 'Change due date: INV-40058 | Due date: 16 Nov 2026'],
    ['extend INV-40058 another two weeks', 'Change due date: INV-40058 | Due date: 23 Nov 2026'],
    ['INV-40058 due date 3 days later', 'Change due date: INV-40058 | Due date: 12 Nov 2026'],
    ['push INV-40058 to dec 15', 'Change due date: INV-40058 | Due date: 15 Dec 2026'],
    ['repay INV-40058 $ 250', 'Add repayment: INV-40058 | Amount: $250.00'],
    ['repay INV-40058 25 cents', 'Add repayment: INV-40058 | Amount: $0.25'],
    ['change due date INV-40058 this friday', 'Change due date: INV-40058 | Due date: 4 Dec 2026'],
    ['change due date INV-40058 in a fortnight', 'Change due date: INV-40058 | Due date: 14 Dec 2026'],
    ['close INV-40058 & INV-40102', 'Close invoice: 2 invoices'],
    ['invoice #40058 close', 'Close invoice: INV-40058'],
    ['pause employee no. 100467', 'Pause employee: Sadia Barnes'],
    ['pause sadia - fraud', 'Pause employee: Sadia Barnes | Reason: fraud'],
    ['pause employee id 100467 fraud', 'Pause employee: Sadia Barnes | Reason: fraud'],
    ['reject WOF-70001 (duplicate of INV-40058)', 'Reject write-off: Sadia Barnes, INV-40058 | Reason: (duplicate of INV-40058)'],
    // Periods of a list.
    ['invoices due this friday', 'Show all invoices · Due date is 4 Dec 2026'],
    ['invoices with balance over 50', 'Show all invoices · Outstanding over $50.00'],
    ['invoices due eom', 'Show all invoices · Due date is 30 Nov 2026'],
    ['invoices due in two weeks', 'Show all invoices · Due date is 14 Dec 2026'],
    ['repayments from monday to wednesday', 'Show all repayments · Repayment date 23 Nov 2026 to 25 Nov 2026'],
    ['invoices due monday to friday', 'Show all invoices · Due date 7 Dec 2026 to 11 Dec 2026'],
    ['pause sadia barnes, tom okafor', 'Pause employee: Sadia Barnes, Tom Okafor'],
    ["why can't kim approve write-offs?", 'Explain access of admin: Kim Novak · Approve write-off'],
    ['why cant kim approve write offs', 'Explain access of admin: Kim Novak · Approve write-off'],
  ])('%s: means %s', (text, expected) => {
    expect(onEnter(text)).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
  })

  test.each([
    ['change due date INV-40058 2026-02-30', '2026-02-30'],
    ['change due date INV-40058 to dec 33', 'to dec 33'],
    ['repay INV-40058 250.555', '250.555'],
    ['repay INV-40058 250 60', '60'],
    ['repay INV-40058 10%', '10%'],
    ['repay INV-40058 half', 'half'],
    ['repay INV-40058 250 INV-40102', 'INV-40102'],
    ['repay INV-40058 250 minus 50', 'minus 50'],
    ['change due date INV-40058 dec 20 INV-40102', 'INV-40102'],
    ['change due date INV-40058 30 days', '30 days'],
    ['pause 100467 and resume 100468', 'and resume 100468'],
    ['repay INV-40058 100 + 50', '+ 50'],
    ['approve WOF-70001 duplicate amount 50', 'amount 50'],
    ['postpone INV-40058 by a month', 'by a month'],
    ['repay INV-40058 250 by 7 days', 'by 7 days'],
    ['change due date INV-40058 two weeks', 'two weeks'],
    ['repay INV-40058 everything but 50', 'but 50'],
    ['repay INV-40058 250 or 300', 'or 300'],
    ['negative repayment INV-40058 in full', 'in -full'],
    ['repay INV-40058 - 250', '- 250'],
    ['repay INV-40058 between 50 and 100', 'between 50 and 100'],
    ['refund INV-40102 50 and close it', 'and close it'],
    ['pause 100467 (not 100468)', '(not 100468)'],
    ['repay INV-40058 and INV-40102 in full', 'in full'],
    ['pause sadia barnes, tom okafor called', 'tom okafor called'],
    ['repay INV-40058 250 and INV-40102 100', 'and INV-40102 100'],
    ['pause 100467 not 100468', 'not 100468'],
    ['pause 100467 or 100468', 'or 100468'],
    ['pause everyone at birch foods reason:fraud', '“reason:fraud”'],
  ])('%s: what has the form of a value and is none is not taken for a text', (text, left) => {
    const rows = type(text).rows.flatMap((row) => (row.kind === 'command' ? [row] : []))
    expect(rows.map(({ note }) => note)).toEqual(rows.map(() => expect.stringContaining(`not understood: ${left}`)))
    expect(rows.filter(({ preselects, command }) => preselects && leadsToChange(command))).toEqual([])
  })

  test.each([
    // Corrections, conditions, other records and times.
    ['pause 100467', 'sorry 100468'],
    ['close INV-40058,', 'sorry, INV-40102'],
    ['close INV-40058', 'wait'],
    ['approve WOF-70001', 'not yet'],
    ['reject WOF-70001', 'no, approve'],
    ['refund INV-40102', "don't"],
    ['close INV-40058', 'if paid'],
    ['pause 100467', 'only if she is not paid'],
    ['pause 100467', 'fraud and 100468 fraud'],
    ['pause 100467.', 'resume 100468.'],
    ['pause 100467', 'tomorrow'],
    ['close INV-40058', 'starting monday'],
    // Amounts and days that were not read.
    ['repay INV-40102', 'in full'],
    ['repay INV-40058', 'fifty'],
    ['repay INV-40058', 'about 250'],
    ['repay INV-40058', '€250'],
    ['refund INV-40102', 'thirty'],
    ['change due date INV-40058', 'until 15.12.2026'],
    ['change due date INV-40058', 'to the 15th'],
    ['change due date INV-40058', 'not dec 15 but dec 20'],
  ])('what is no text for a form is named, and Enter does not act: %s %s', (order, left) => {
    const { rows, active } = type(`${order} ${left}`)
    expect(rows.map(({ note }) => note).join('\n')).toContain(`not understood: ${left}`)
    expect(active?.kind).not.toBe('command')
  })

  test.each(['invoices sent but not overdue', 'employees active and not paused', 'pause all employees except 100467'])(
    'what no filter can say is left to the person: %s',
    (text) => {
      const { active } = type(text)
      expect([active?.kind, active?.title]).not.toContain('record')
      expect(active?.title ?? '').not.toMatch(/not (Overdue|Paused)|Sadia/)
    },
  )

  test('of two commands that cannot be undone none is chosen: reset maria', () => {
    const { rows, active } = type('reset maria')
    expect(rows.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        'Reset authenticator of account manager: Maria Lind',
        'Reset password of account manager: Maria Lind',
      ]),
    )
    expect(active?.kind).not.toBe('command')
  })

  test.each(['invoices closed last week', 'invoices refunded yesterday', 'invoices due today or tomorrow'])(
    'a time that no filter takes is named, and not searched for: %s',
    (text) => {
      const [row] = type(text).rows
      expect(row?.title).not.toContain('Search for')
      expect(row?.note).toContain('no date for')
    },
  )

  test('the whole name of a command comes before a list: end all other sessions', () => {
    expect(type('end all other sessions').rows.map(({ title }) => title)).toEqual(['Sign out everywhere else'])
  })

  test.each(['for 3 days', 'until friday', '3 days', 'until further notice', 'for a week'])(
    'a pause does not end by itself, and so has no reason that says when: %s',
    (time) => {
      for (const text of [`pause sadia barnes ${time}`, `pause 100467 ${time}`]) {
        const { rows, active } = type(text)
        expect(rows.map(({ note }) => note).join()).toContain(`not understood: ${time}`)
        expect(active?.kind).not.toBe('command')
      }
    },
  )

  test('two orders are none, and a word before a name is no part of it', () => {
    const orders = type('reject WOF-70001, approve WOF-70002').rows
    expect(orders.filter((row) => row.kind === 'command' && leadsToChange(row.command))).toEqual([])
    expect(onEnter('pause for sadia')).toBe('Pause employee: Sadia Barnes')
  })

  test('a verb for all is first about what the open list shows, with its filters and its search', () => {
    const pending = { id: 'status', type: 'is', value: 'PENDING' } as const
    const targets = (text: string, pane: ReturnType<typeof openList>) => {
      const [row] = type(text, { pane }).rows
      return row?.kind === 'command' && row.targets ? [row.title, row.targets.filter, row.preselects] : row?.title
    }
    expect(targets('approve all', openList(writeOff, [pending]))).toEqual([
      'Approve write-off: write-offs · Status is Pending',
      { status: 'PENDING' },
      false,
    ])
    expect(targets('approve all', openList(writeOff, [pending], 'sadia'))).toEqual([
      'Approve write-off: write-offs · Status is Pending · Search for “sadia”',
      { status: 'PENDING', q: 'sadia' },
      false,
    ])
    const inList = type('approve all', { pane: openList(writeOff, [pending]) }).rows.map(({ title }) => title)
    expect(inList.filter((title) => title.startsWith('Approve write-off'))).toHaveLength(1)
    expect(targets('approve all', openList(writeOff, []))).toBe('Show all write-offs · Status is Pending')
    expect(
      type('approve all write-offs')
        .rows.map(({ title }) => title)
        .slice(0, 3),
    ).toEqual([
      'Show all write-offs · Status is Pending',
      'Approve write-off: all write-offs · Status is Pending',
      'Show all write-offs',
    ])
    expect(targets('approve all birch', openList(writeOff, [pending]))).toBe('Show all write-offs · Search for “birch”')
  })

  test.each([
    ['employees with no email', null],
    ['paused since november', 'no date for “since november”'],
  ])('%s: what cannot be a filter is said', (text, note) => {
    const { rows, empty } = type(text)
    const [row] = rows
    if (note === null) expect([rows, empty]).toEqual([[], expect.stringContaining('Only the value of a filter can be excluded')])
    else expect(row?.kind === 'command' && row.note).toBe(note)
  })

  test('a command named beside a list says what it is for, one of another noun does not', () => {
    const note = (text: string) => {
      const [row] = type(text).rows
      return row?.kind === 'command' ? `${row.title} | ${row.note}` : row?.title
    }
    expect(note('employees with balance')).toBe('Show all employees | mark one there, then Adjust work period balance')
    expect(note('invoices pdf')).toBe('Show all invoices | choose one there, then Download invoice')
    expect(note('export invoices')).toBe('Show all invoices | Open a list first. Every list can be exported.')
  })

  test.each([
    ['pause sadia barnes and tom fraud', 'and tom fraud'],
    ['pause sadia barnes and sadia', 'and sadia'],
    // A name, a company or an order is no reason.
    ['pause sadia okafor', 'okafor'],
    ['pause tom okafor tom alvarez', 'tom alvarez'],
    ['pause sadia barns at acme', 'barns at acme'],
    ['pause 100467 at acme', 'at acme'],
    ['reject WOF-70001 for tom okafor', 'for tom okafor'],
    ['reject WOF-70001 of INV-40102', 'of INV-40102'],
    ['reject WOF-70001 approve', 'approve'],
    ['reject WOF-70001 no approve it', 'no approve it'],
    // A second thought, or for how long.
    ['pause tom okafor no wait tom alvarez', 'no wait tom alvarez'],
    ['pause 100467 wrong person', 'wrong person'],
    ['pause sadia please wait for kim', 'please wait for kim'],
    ['pause sadia maybe', 'maybe'],
    ['pause 100467 temporarily', 'temporarily'],
    ['pause sadia barnes, tom okafor fraud', 'tom okafor fraud'],
    ['pause 100467 not tom okafor', 'not tom okafor'],
    ['pause 100467, 100468 and tom okafor fraud', 'and tom okafor fraud'],
    ['pause sadia barnes and resume tom okafor', 'and resume tom okafor'],
    ['pause sadia barnes, resume tom okafor', 'resume tom okafor'],
    ['close INV-40058 and note paid by check', 'and note paid by check'],
    ['resume 100467 pause 100468', 'pause 100468'],
    ['approve WOF-70001 reject WOF-70002', 'reject WOF-70002'],
    ['pause 100467 / 100468', '/ 100468'],
  ])('%s: the name of another record is no text', (text, left) => {
    const { active, rows } = type(text)
    expect(active).toBeNull()
    const [row] = rows.filter(({ kind }) => kind === 'command')
    expect(row?.note).toContain(`not understood: ${left}`)
  })

  test('a text behind a comma or `not` that is no name stays a text', () => {
    expect(onEnter('pause sadia barnes, suspected fraud')).toBe('Pause employee: Sadia Barnes | Reason: suspected fraud')
    expect(type('note 100467 not reachable by phone').rows[0]?.note).toContain('Note: not reachable by phone')
  })

  test('of an old and a new value the new one counts, and an amount that no command takes is named', () => {
    const { rows, active } = type('change email of sadia from sb@old.com to sadia@new.com')
    expect(active).toBeNull()
    expect(rows.find(({ title }) => title === 'Change user e-mail: Sadia Barnes')?.note).toContain(
      'E-mail: sadia@new.com · not understood: from sb@old.com',
    )
    const offered = type('write off 50 INV-40058').rows.find(({ title }) => title === 'Suggest write-offs: INV-40058')
    expect(offered?.note).toContain('not understood: 50')
  })

  test('no text begins with `and`, and how many rows are asked for is said', () => {
    expect(onEnter('pause sadia and maria')).toBeNull()
    expect(type('top 5 invoices').rows[0]?.note).toBe('the first 5 are at the top')
    expect(type('approve pending write-offs').rows.filter(({ title }) => title === 'Show pending write-offs')).toHaveLength(1)
  })

  test('one of several people with a name is not chosen, nor are words behind an amount money', () => {
    expect(onEnter('pause tom')).toBeNull()
    expect(onEnter('pause tom okafor')).toBe('Pause employee: Tom Okafor')
    expect(onEnter('repay INV-40058 36 eur')).toBeNull()
    expect(onEnter('repay INV-40058 36 notes:eur')).toBe('Add repayment: INV-40058 | Amount: $36.00 · Notes: eur')
  })

  test('to end a pause is no pause, and an order on the selected record comes before lists', () => {
    expect(type('stop pause 100467').active?.title).toBe('Resume employee: Sadia Barnes')
    expect(onEnter('put sadia on hold fraud')).toBe('Pause employee: Sadia Barnes | Reason: fraud')
    expect(onEnter('change due date friday', selected(invoice, '40058'))).toBe('Change due date | Due date: 4 Dec 2026')
    expect(onEnter('failed imports today')).toBe('Show failed imports · Received is 30 Nov 2026')
  })

  test('a command on several ids is listed once', () => {
    const titles = type('pause 100467, 100468 and 100469 suspicious').rows.map(({ title }) => title)
    expect(titles.filter((title) => title.startsWith('Pause employee'))).toEqual(['Pause employee: 3 employees'])
  })

  test('an amount alone is looked for in each list with amounts', () => {
    const titles = type('$60.00').rows.map(({ title }) => title.split(' · ')[0])
    expect(titles).toEqual(['Show all invoices', 'Show all repayments', 'Show all write-offs'])
  })

  test('the whole title of a command means it, also if a part of it is found as a name', () => {
    const { rows, active } = type('Change user names', { selection: selected(user, '300467') })
    expect(rows.map(({ title }) => title)).toContain('Change user names')
    expect(active?.title).toBe('Change user names')
  })

  test('the examples of the help are understood', () => {
    registerPanes([invoices])
    const examples = exampleRows('').flatMap(({ text }) => (text === '?' ? [] : [text]))
    expect(examples.length).toBeGreaterThan(4)
    for (const typed of examples) {
      const { rows } = type(typed)
      expect([typed, rows[0]?.usable]).toEqual([typed, true])
      expect([typed, JSON.stringify(rows[0]?.note)]).not.toEqual([typed, expect.stringContaining('not understood')])
    }
  })

  test('values without a record are for the selected one', () => {
    expect(onEnter('add repayment 250', selected(invoice, '40058'))).toBe('Add repayment | Amount: $250.00')
    expect(onEnter('change pay frequency and next pay date weekly', selected(employee, '100467'))).toBe(
      'Change pay frequency and next pay date | Payroll frequency: Weekly',
    )
  })
})

test('the number of a record is no search for others: approve WOF-70001', () => {
  expect(type('approve WOF-70001').rows.map(({ title }) => title)).toEqual([
    'Approve write-off: Sadia Barnes, INV-40058',
    'Sadia Barnes, INV-40058',
  ])
  // Nobody else's identity check, though people are found by the number.
  const { typed, rows } = type('approve WOF-12')
  expect(typed.only).toEqual(['write-off', 'write-off'])
  expect(rows.map(({ title }) => title)).toEqual(['Open write-off 12'])
})

test.each(['resume everyone paused yesterday', 'resume everyone paused before november', 'resume employees paused since monday'])(
  '%s: nobody is resumed by a part of the words',
  (text) => {
    const { rows, active } = type(text)
    expect(rows.filter((row) => row.kind === 'command' && leadsToChange(row.command))).toEqual([])
    expect(active).toMatchObject({
      title: 'Show all employees · Status is Paused',
      note: expect.stringMatching(/no date|not understood/),
    })
  },
)

test('the name of something new is what follows: create organization Birch Foods', () => {
  const row = type('create organization Cedar Foods').rows.find(({ title }) => title === 'Create organization')
  expect(row).toMatchObject({ params: { name: 'Cedar Foods' } })
})
