-- A period that is over counted as unbilled where a draft of another pay group had its last day. Only the draft of the very period
-- waits for it; what stands on an invoice of its time is billed.
update work_period_balances b set billed_amount = b.taken_amount
from employees e
where e.id = b.employee_id and not b.is_open and b.taken_amount > b.billed_amount and (
  exists (select from invoices i join invoice_lines line on line.invoice_id = i.id
    where i.employer_id = e.employer_id and line.employee_id = e.id and i.period_end = b.work_period_end)
  or not exists (select from invoices i where i.employer_id = e.employer_id and i.status = 'DRAFT'
    and i.period_start = b.work_period_start and i.period_end = b.work_period_end));
