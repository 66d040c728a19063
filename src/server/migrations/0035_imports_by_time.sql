-- Files by when they arrived: the order of their list, and the days of the dashboard.
create index imports_by_time on imports (received_at, id);
