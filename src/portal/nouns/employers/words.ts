/** What a history calls the fields of a company. */
export const companyFields: Readonly<Record<string, string>> = {
  csm: 'Customer success manager',
  direct_customer: 'Direct customer',
  go_live_date: 'Go-live date',
  pilot_ee_count: 'Pilot EE count',
  split_invoices: 'Split invoices',
  auto_ach: 'Auto ACH',
  ach_processing_days: 'ACH processing days',
  single_withdraw_amount_max: 'Maximum per transaction',
  withdraw_amount_max: 'Maximum per pay period',
  billing_account_ach_code: 'Billing account ACH code',
}
