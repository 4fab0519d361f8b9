-- Proof of life: one row a process, written every two seconds, and one for the look at alarms. /readyz and the watchdog read their own writes.

create table process_beats (
  name text primary key check (length(name) between 1 and 200),
  roles text[] not null default '{}',
  beat_at timestamptz not null default now()
);
