-- What a date of a pay group on the last day of a month stands for: the last day of every month, as for all groups until now, or
-- the same day, such as the 30th.
alter table pay_groups add column month_end text not null default 'LAST_DAY' check (month_end in ('LAST_DAY', 'SAME_DAY'));
