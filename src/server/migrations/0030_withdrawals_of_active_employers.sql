-- The employees of a disabled employer withdraw nothing (EMR-004), whoever asks: what draws is another service, which writes here.
-- The rows of the employers are held, so that one who is being disabled meanwhile is waited for.
create function refuse_withdrawals() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (
    with theirs as (
      select status from employers where id in (
        select e.employer_id from added join employees e on e.id = added.employee_id where added.status in ('PENDING', 'COMPLETE'))
      order by id for share)
    select from theirs where status <> 'ACTIVE') then
    raise exception 'The employer is inactive: its employees cannot withdraw.' using errcode = 'raise_exception';
  end if;
  return null;
end $$;
revoke execute on function refuse_withdrawals() from public;
-- By name before the one that counts them.
create trigger a_refuse_withdrawals after insert on transactions referencing new table as added
  for each statement execute function refuse_withdrawals();
