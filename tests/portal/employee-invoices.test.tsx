import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Employee } from '#contract/employees.ts'
import { EmployeeInvoices } from '#portal/nouns/employees/invoices.tsx'

afterEach(cleanup)

test('against an API of the specification alone, the tab Invoices says that it is not offered', () => {
  render(<EmployeeInvoices one={{ id: 104234, version: 1 } as Employee} />)
  expect(screen.getByText('Not offered by this API')).toBeTruthy()
  expect(screen.queryByRole('grid')).toBeNull()
})
