-- A debit that is tried again takes at most what was asked for: what comes back later for another reason is not debited with it.
alter table ach_debits add column most_amount bigint check (most_amount > 0);
update ach_debits set most_amount = amount where attempt > 0 and state = 'SCHEDULED';
