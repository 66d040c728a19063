-- What `npm run distribute` uses of Citus, under the same names in a schema of the test: it records the calls, and refuses what Citus
-- refuses of tables. It does not move any rows.
create schema recorded;
create table recorded.calls (place integer generated always as identity, call text not null);
-- Tables of which a call fails, as if a machine were away.
create table recorded.away (name text not null);
create table recorded.pg_dist_node (nodeid integer generated always as identity, groupid integer not null, isactive boolean default true);
create table recorded.pg_dist_partition (logicalrelid regclass primary key, partmethod "char" not null, repmodel "char" not null);

create function recorded.note(call text, of regclass) returns void language plpgsql as $$
begin
  if exists (select from recorded.away where name = of::text) then
    raise exception 'connection to the remote node failed';
  end if;
  insert into recorded.calls (call) values (note.call || ' ' || of);
end $$;

create function recorded.refuse_dependents(of regclass) returns void language plpgsql as $$
begin
  if exists (select from pg_constraint where contype = 'f' and conparentid = 0 and of in (conrelid, confrelid)) then
    raise exception '% has foreign keys', of;
  end if;
  if exists (select from pg_trigger where tgrelid = of and not tgisinternal) then
    raise exception '% has triggers', of;
  end if;
end $$;

create function recorded.create_reference_table(table_name regclass) returns void language plpgsql as $$
begin
  perform recorded.refuse_dependents(table_name);
  perform recorded.note('reference', table_name);
  insert into recorded.pg_dist_partition values (table_name, 'n', 't');
end $$;

create function recorded.create_distributed_table(table_name regclass, distribution_column text, distribution_type text default 'hash',
  colocate_with text default 'default', shard_count int default null) returns void language plpgsql as $$
begin
  perform recorded.refuse_dependents(table_name);
  if exists (select from pg_index where indrelid = table_name and indisunique and not exists (select from pg_attribute
      where attrelid = indrelid and attname = distribution_column and attnum = any(indkey))) then
    raise exception '% has a unique key without %', table_name, distribution_column;
  end if;
  if colocate_with <> 'none' and not exists (select from recorded.pg_dist_partition where logicalrelid = colocate_with::regclass) then
    raise exception '% is not distributed', colocate_with;
  end if;
  perform recorded.note(format('by %s with %s', distribution_column, colocate_with), table_name);
  insert into recorded.pg_dist_partition values (table_name, 'h', 's');
end $$;

-- With foreign keys it would empty the tables that refer to this one.
create function recorded.truncate_local_data_after_distributing_table(function_name regclass) returns void language plpgsql as $$
begin
  perform recorded.refuse_dependents(function_name);
  perform recorded.note('truncate', function_name);
end $$;

create function recorded.run_command_on_all_nodes(command text, parallel boolean default true,
  give_warning_for_connection_errors boolean default false, out nodeid integer, out success boolean, out result text)
  returns setof record language plpgsql as $$
begin
  insert into recorded.calls (call) values (command);
  return query select node.nodeid, true, 'ALTER DATABASE'::text from recorded.pg_dist_node node;
end $$;
