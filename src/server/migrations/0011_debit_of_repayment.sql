-- The debit that a repayment is the money of is asked for by every change of it, and by every list.
create index ach_debits_of_repayment on ach_debits (repayment_id, id) where repayment_id is not null;
