-- Values that only one row of all organizations may have: a table of its own holds them, since a key that contains the organization
-- does not. Triggers keep it, so that the last release does, too.
create table taken_values (
  -- The column that has the value.
  name text not null,
  value text not null,
  primary key (name, value)
);

create function take_value() returns trigger language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    delete from taken_values where name = tg_argv[0] and value = to_jsonb(old) ->> tg_argv[0];
  end if;
  if tg_op <> 'DELETE' then
    insert into taken_values (name, value) select tg_argv[0], given from (select to_jsonb(new) ->> tg_argv[0] as given) new_value
    where given is not null;
  end if;
  return null;
end $$;
revoke execute on function take_value() from public;

-- The later steps: the values of old rows are taken, then the key without the organization is replaced by one with it.
do $$
declare
  each record;
  steps jsonb := '[]';
begin
  for each in select * from (values
    ('employees', 'user_id', 'employees_of_user', 'alter table employees drop constraint if exists employees_user_once'),
    ('ach_debits', 'trace_number', 'ach_debits_by_trace',
      'alter table ach_debits drop constraint if exists ach_debits_trace_number_key'),
    ('repayments', 'bank_result_id', 'repayments_of_bank_result',
      'alter table repayments drop constraint if exists repayments_bank_result_id_key'),
    ('repayments', 'dishonor_result_id', 'repayments_dishonored', 'drop index if exists repayments_dishonored_once')
  ) each(of, given, name, instead) loop
    execute format('create trigger take_%2$s after insert on %1$I for each row when (new.%2$I is not null)
      execute function take_value(%2$L)', each.of, each.given);
    execute format('create trigger change_%2$s after update of %2$I on %1$I for each row when (old.%2$I is distinct from new.%2$I)
      execute function take_value(%2$L)', each.of, each.given);
    execute format('create trigger leave_%2$s after delete on %1$I for each row when (old.%2$I is not null)
      execute function take_value(%2$L)', each.of, each.given);
    steps := steps || jsonb_build_array(
      jsonb_build_object('take', each.of, 'column', each.given),
      jsonb_build_object('index', format('CREATE UNIQUE INDEX %1$s ON public.%2$s USING btree (%3$s, organization_id) WHERE (%3$s IS NOT NULL)',
        each.name, each.of, each.given)),
      jsonb_build_object('statement', each.instead));
  end loop;
  insert into settings (name, value) values ('later-steps', steps::text)
  on conflict (name) do update set value = (settings.value::jsonb || excluded.value::jsonb)::text;
end $$;
