import { changePay } from '#contract/employee-changes.ts'
import { payFrequencies } from '#domain/pay-frequency.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'employee.change-pay',
  title: 'Change pay frequency and next pay date',
  aliases: ['payday', 'pay details', 'pay schedule', 'change pay frequency', 'set pay frequency', 'set next pay date'],
  on: employee,
  does: changePay,
  bulk: false,
  form: {
    start: (one) => {
      const pay_frequency = payFrequencies.find((each) => each === one?.pay_frequency)
      return { ...(pay_frequency ? { pay_frequency } : {}), ...(one?.next_pay_date ? { next_pay_date: one.next_pay_date } : {}) }
    },
  },
  undo: {
    steps: ({ before, after }) => undoing(changePay, after, before),
    // The values cannot be removed again, so a first value cannot be undone.
    applies: (one) => one.pay_frequency !== null && one.next_pay_date !== null,
  },
  done: (one) => `Changed the pay details of ${employee.title(one)}`,
})
