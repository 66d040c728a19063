-- Different words of people's names, by which a search corrects a misspelled one. A word is kept once (twice
-- where two transactions add it at the same time, which is harmless: neither waits for the other), and stays when the last person
-- with it is gone: what a search answers is always read from the people themselves.
create extension if not exists fuzzystrmatch;

create table name_words (
  word text collate "C" not null,
  length smallint not null generated always as (char_length(word)) stored
);
create index name_words_by_length on name_words (length, word);

create function add_name_words(names text[]) returns void
  language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into name_words (word)
  select added.word
  from (select distinct part.word collate "C" as word from unnest(names) as name, string_to_table(name, ' ') as part(word)) added
  where char_length(added.word) between 3 and 40 and added.word !~ '[0-9@]'
    and not exists (
      select from name_words known
      where known.length = char_length(added.word) and known.word = added.word)
$$;
revoke execute on function add_name_words from public;

create function keep_inserted_name_words() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform add_name_words(array(select name_key from inserted));
  return null;
end $$;

create function keep_changed_name_words() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform add_name_words(array[new.name_key::text]);
  return null;
end $$;

revoke execute on function keep_inserted_name_words, keep_changed_name_words from public;

create trigger keep_inserted_name_words after insert on employees
  referencing new table as inserted for each statement execute function keep_inserted_name_words();
create trigger keep_changed_name_words after update of first_name, last_name on employees
  for each row when (old.name_key is distinct from new.name_key) execute function keep_changed_name_words();
create trigger keep_inserted_name_words after insert on users
  referencing new table as inserted for each statement execute function keep_inserted_name_words();
create trigger keep_changed_name_words after update of first_name, last_name on users
  for each row when (old.name_key is distinct from new.name_key) execute function keep_changed_name_words();

select add_name_words(array(select name_key from employees union select name_key from users));
