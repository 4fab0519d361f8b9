-- Acts on many things at once: a row each, worked off by a job that goes on where it was killed; and lists written into files.

create table backoffice_bulks (
  id text primary key,
  -- The command that is run for each row, or 'compensation.run'.
  kind text not null,
  title text not null check (length(title) between 1 and 80),
  reason text not null,
  level text not null check (level in ('free','reason','stepUp','second','two')),
  terms jsonb not null default '{}',
  made_by text not null references backoffice_operators,
  made_at timestamptz not null,
  rows int not null check (rows between 1 and 100000),
  state text not null default 'running' check (state in ('running','stopped','done')),
  ended_at timestamptz,
  check ((ended_at is not null) = (state = 'done'))
);
create index backoffice_bulks_running on backoffice_bulks (id) where state = 'running';
revoke delete, truncate on backoffice_bulks from mingxi_app;

create function backoffice_guard_bulk() returns trigger language plpgsql as $$
begin
  if old.state = 'done' then
    raise exception 'bulk % is done', old.id using errcode = 'check_violation';
  end if;
  if (new.id, new.kind, new.title, new.reason, new.level, new.terms, new.made_by, new.made_at, new.rows)
     is distinct from (old.id, old.kind, old.title, old.reason, old.level, old.terms, old.made_by, old.made_at, old.rows) then
    raise exception 'what bulk % does is frozen', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger backoffice_bulks_guard before update on backoffice_bulks for each row execute function backoffice_guard_bulk();

create table backoffice_bulk_rows (
  bulk_id text not null references backoffice_bulks,
  position int not null,
  -- Rows of one unit share a transaction: all of a customer's, say.
  unit text not null,
  subject text not null,
  input jsonb not null default '{}',
  amount_nano bigint check (amount_nano > 0),
  state text not null default 'waiting' check (state in ('waiting','done','refused')),
  -- The name of the refusal.
  why text,
  at timestamptz,
  primary key (bulk_id, position),
  unique (bulk_id, subject),
  check ((at is null) = (state = 'waiting')),
  check ((why is not null) = (state = 'refused'))
);
create index backoffice_bulk_rows_waiting on backoffice_bulk_rows (bulk_id, unit) where state = 'waiting';
-- A call is compensated once, by whatever campaign.
create unique index backoffice_compensated on backoffice_bulk_rows (subject) where state = 'done' and subject like 'call:%';
revoke delete, truncate on backoffice_bulk_rows from mingxi_app;

create function backoffice_guard_bulk_row() returns trigger language plpgsql as $$
begin
  if old.state <> 'waiting' then
    raise exception 'row % of % is % already', old.position, old.bulk_id, old.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger backoffice_bulk_rows_guard before update on backoffice_bulk_rows for each row execute function backoffice_guard_bulk_row();

create table backoffice_exports (
  id text primary key,
  path text not null,
  filter jsonb not null,
  format text not null check (format in ('csv','xlsx')),
  made_by text not null references backoffice_operators,
  made_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting','done','failed')),
  rows int not null default 0,
  file bytea,
  ended_at timestamptz,
  check ((file is not null) <= (state = 'done'))
);
create index backoffice_exports_of on backoffice_exports (made_by, made_at);

