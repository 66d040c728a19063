-- What waits in an organization and all of its employers together, so that whoever was granted many need not add up each of them.
alter table dashboard_figures drop constraint dashboard_figures_company_type_check;
alter table dashboard_figures add constraint dashboard_figures_company_type_check
  check (company_type in ('ALL', 'WHOLE', 'EMPLOYER', 'ORGANIZATION', 'NONE'));
-- Nothing is told of them before they are counted.
delete from dashboard_rounds;
