import type { MappingField } from '#domain/mapping-fields.ts'

/** A vendor of payroll and timekeeping files, with the fields of its headers. */
export interface MappingVendor {
  id: string
  name: string
  /** False if its files are only about employees. */
  supports_timekeeping: boolean
  headers: Readonly<Record<string, MappingField>>
}

/** The known vendors (docs/rules/companies.md); the names are made up. */
export const mappingVendors: readonly MappingVendor[] = [
  {
    id: 'PAYHARBOR',
    name: 'Payharbor',
    supports_timekeeping: true,
    headers: {
      EmpNo: 'employee_code',
      'Time Clock No': 'external_tk_id',
      Surname: 'last_name',
      'Given Name': 'first_name',
      'Empl Status': 'status',
      'Dept No': 'department_code',
      'Hire Dt': 'hire_date',
      'Base Rt': 'rate',
      'Work Dt': 'work_date',
      Hrs: 'work_hours',
      'Pay Cd': 'pay_code',
    },
  },
  {
    id: 'SHIFTWELL',
    name: 'Shiftwell',
    supports_timekeeping: true,
    headers: {
      worker_id: 'employee_code',
      badge: 'external_tk_id',
      worker_name: 'full_name',
      worker_status: 'status',
      site: 'location_code',
      shift_date: 'work_date',
      shift_start: 'clock_in',
      shift_end: 'clock_out',
      paid_hours: 'work_hours',
      gross: 'earned_wage',
    },
  },
  {
    id: 'LEDGERLINE',
    name: 'Ledgerline',
    supports_timekeeping: false,
    headers: {
      'File Number': 'employee_code',
      'Legal Name': 'full_name',
      'Work Email': 'email',
      'Mobile Phone': 'phone',
      'Position Status': 'status',
      'Home Department': 'department_code',
      'Original Hire Date': 'hire_date',
      'Rate 1': 'rate',
      'Amount Withheld': 'deduction_withheld',
      'Amount Not Withheld': 'deduction_not_withheld',
    },
  },
]
