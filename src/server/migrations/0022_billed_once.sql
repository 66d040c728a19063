-- What of a work period stands on an invoice: whatever was taken is billed once, also what completes after its report date.
alter table work_period_balances add column billed_amount bigint not null default 0 check (billed_amount >= 0);

-- Until now everything of a period was put on the invoice of its time: what is over is billed, unless that invoice waits.
update work_period_balances b set billed_amount = b.taken_amount
from employees e
where e.id = b.employee_id and b.taken_amount > 0 and case
  when exists (select from invoices i join invoice_lines line on line.invoice_id = i.id
    where i.employer_id = e.employer_id and i.status = 'DRAFT' and line.employee_id = e.id
      and b.work_period_end between i.period_start and i.period_end) then true
  else not b.is_open and not exists (select from invoices i where i.employer_id = e.employer_id and i.status = 'DRAFT'
    and b.work_period_end between i.period_start and i.period_end) end;

-- Found by the clock when a draft is filled.
create index work_period_balances_unbilled on work_period_balances (employee_id) where taken_amount <> billed_amount;
