-- The columns that the file of a deduction was delivered with, of the employer's mapping; null for the general file.
alter table deductions add column file_columns jsonb;
alter table deductions add check (jsonb_typeof(file_columns) = 'array');
