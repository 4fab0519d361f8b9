-- The book of the sandbox that registers accounts: one job a key.

create table registration_sandbox (
  ref text primary key,
  key text not null unique,
  account text not null,
  state text not null check (state in ('working','done','failed','cancelled')),
  reason text not null default '',
  -- Its answer was lost on the way, once.
  lost boolean not null default false,
  created_at timestamptz not null default clock_timestamp()
);
grant select, insert, update on registration_sandbox to mingxi_app;
