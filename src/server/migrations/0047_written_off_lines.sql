-- What was written off of a line by a time: asked of each line of a file.
create index ledger_entries_of_line on ledger_entries (line_id) where kind = 'WRITE_OFF';
