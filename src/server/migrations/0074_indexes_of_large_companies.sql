-- Two looks that read more the larger a company is, each into an index of its own from now on. Indexes only: the last release works
-- with and without them.
insert into settings (name, value)
select 'later-steps', jsonb_agg(jsonb_build_object('index', definition) order by place)::text
from (values
  -- Four digits of a phone number match thousands among millions of people; the trigrams of so few letters match many more.
  (1, 'CREATE INDEX employees_by_phone_end ON public.employees USING btree ("right"(phone_digits, 4), id)'),
  (2, 'CREATE INDEX users_by_phone_end ON public.users USING btree ("right"(phone_digits, 4), id)'),
  -- Whether a repayment is entered twice: by their amount alone, all repayments of a common amount were read.
  (3, 'CREATE INDEX repayments_same ON public.repayments USING btree (debtor_type, debtor_id, repayment_date, amount, id)'
    || ' WHERE ((origin <> ''RETURN'') AND (failure IS NULL))')
) step(place, definition)
on conflict (name) do update set value = (settings.value::jsonb || excluded.value::jsonb)::text;
