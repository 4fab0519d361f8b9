-- Calls to suppliers that have no clear answer, one row for what waits on it; the row goes with the answer.
create table supplier_waits (
  subject text primary key check (subject ~ '^[a-z]+:.{1,200}$'),
  port text not null check (port ~ '^[a-z]+(\.[a-z]+)*$'),
  supplier text not null,
  operation text not null,
  kind text not null check (kind in ('retryable', 'unknown')),
  reason text not null,
  -- the supplier's own words, for operators
  detail text not null default '',
  tries int not null default 1 check (tries > 0),
  since timestamptz not null default clock_timestamp(),
  final_at timestamptz,
  -- since when operators have to look
  work_at timestamptz
);
create index supplier_waits_work on supplier_waits (work_at) where work_at is not null;
grant select, insert, update, delete on supplier_waits to mingxi_app;

-- What the sandboxes of suppliers do wrong next; no real supplier reads it.
create table supplier_faults (
  id bigint generated always as identity primary key,
  port text not null,
  operation text not null default '*',
  fault text not null check (fault in ('reject', 'fail', 'stall', 'late')),
  -- only calls whose facts hold this text
  only_for text not null default '',
  reason text not null default 'refused' check (reason ~ '^[a-z_]{1,40}$'),
  -- how often; null until it is taken away
  times int check (times > 0),
  seconds int not null default 0 check (seconds between 0 and 120),
  created_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on supplier_faults to mingxi_app;
