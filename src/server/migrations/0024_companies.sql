-- Customer success managers are people of a list of their own (rules 17); until now an organization had a name as text.
create table customer_success_managers (
  id bigint generated always as identity primary key,
  name text not null unique check (name = btrim(name) and name <> ''),
  name_key text collate "C" generated always as (fold(name)) stored
);

-- A text that can be a name is one; any other is kept as a note.
insert into customer_success_managers (name)
select distinct btrim(csm_name) from organizations where length(btrim(csm_name)) between 1 and 100 order by 1;

alter table organizations add column csm_id bigint references customer_success_managers;
update organizations set csm_id = manager.id from customer_success_managers manager where manager.name = btrim(csm_name);
update organizations set notes = concat_ws(E'\n', notes, 'Customer success manager: ' || csm_name)
where csm_id is null and btrim(csm_name) <> '';
alter table organizations drop column csm_name;

-- Whether an employer has been taken through all steps (EMR-005). Whoever is live by now has been.
alter table employers add column onboarded boolean not null default false;
update employers set onboarded = true where status = 'ACTIVE' and go_live_date <= business_date();

create index organizations_by_csm on organizations (csm_id) where csm_id is not null;
create index employers_by_lookup_name on employers (lookup_name);
create index organizations_by_lookup_name on organizations (lookup_name);
