-- Text as search compares it, as before to the letter: most of what is folded is plain, and translate looks at every
-- character for itself. What was folded before stays right, in columns and indexes.
create or replace function fold(value text) returns text
  language sql immutable parallel safe
  return case
    when octet_length(value) = char_length(value) then lower(replace(replace(value, '-', ' '), '''', ''))
    else lower(regexp_replace(
      normalize(translate(value, 'ØøŁłßĐđ-''’', 'OoLlsDd '), NFD), U&'[\0300-\036F]', '', 'g'))
  end;
