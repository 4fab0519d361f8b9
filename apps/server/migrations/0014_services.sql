-- folds 0075_number_messages.sql (release 0.1)

-- Services: one row for each order or use of a member, with any supplier. Each service has its own states; the phase and the money,
-- common to all, are constrained here (money.md G1).
create table services_tasks (
  id text primary key check (id ~ '^srv_[0-9a-z]{16}$'),
  service text not null,
  user_id text not null,
  -- Null: free, or not paid yet.
  order_no text unique,
  product text not null,
  state text not null,
  phase text not null check (phase in ('draft','waiting','using','done','failed')),
  cause text not null default '',
  amount bigint not null check (amount >= 0),
  money text not null default 'none' check (money in ('none','held','charged','released')),
  charged bigint not null default 0 check (charged >= 0 and charged <= amount),
  -- The ledger's transaction of the charge.
  charge_id bigint,
  returned bigint not null default 0 check (returned >= 0 and returned <= charged),
  -- Took one of the free uses; given back once.
  free text not null default 'no' check (free in ('no','taken','back')),
  free_period text,
  -- Facts that its owner may see. Never a secret.
  facts jsonb not null default '{}',
  -- The supplier, or 'desk'; empty until one is called.
  supplier text not null default '',
  supplier_ref text,
  -- Something may stand at the supplier that must be given back at the end.
  at_supplier boolean not null default false,
  -- The person at the desk, for so long.
  taken_by text,
  taken_until timestamptz,
  waits_for_person boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  entered_at timestamptz not null default clock_timestamp(),
  deadline_at timestamptz,
  delivered_at timestamptz,
  expires_at timestamptz,
  finished_at timestamptz,
  next_check_at timestamptz default clock_timestamp(),
  checks int not null default 0,
  late_told_at timestamptz,
  -- A task in progress always has a next check.
  check (next_check_at is not null or phase in ('done','failed')),
  check ((finished_at is not null) = (phase in ('done','failed'))),
  check (phase not in ('done','failed') or money <> 'held'),
  check (phase <> 'using' or money <> 'held'),
  check (phase not in ('draft','waiting') or money in ('none','held')),
  check (money <> 'held' or order_no is not null),
  check ((money = 'charged') = (charged > 0)),
  check ((money = 'charged') = (charge_id is not null)),
  check ((free = 'no') = (free_period is null)),
  check (phase = 'draft' or started_at is not null or phase = 'failed')
);
create index services_tasks_user on services_tasks (user_id, created_at desc);
create index services_tasks_due on services_tasks (next_check_at) where next_check_at is not null;
create index services_tasks_live on services_tasks (service, state, started_at) where phase in ('waiting','using');
create index services_tasks_desk on services_tasks (started_at) where waits_for_person;
create index services_tasks_measured on services_tasks (service, finished_at desc) where phase in ('using','done','failed');
-- Queues of the services, oldest first.
create index services_tasks_waiting on services_tasks (service, state, started_at, id) where phase = 'waiting';

-- A movement of money is final, and an ended task keeps its state, except for money that returns.
create function services_guard_task() returns trigger language plpgsql as $$
begin
  if (new.user_id, new.service, new.amount, new.product) is distinct from (old.user_id, old.service, old.amount, old.product)
     or old.order_no is not null and new.order_no is distinct from old.order_no then
    raise exception 'what was ordered with % is frozen', old.id using errcode = 'check_violation';
  end if;
  if new.money <> old.money and (old.money, new.money) not in (('none','held'), ('held','charged'), ('held','released')) then
    raise exception 'the money of % cannot go from % to %', old.id, old.money, new.money using errcode = 'check_violation';
  end if;
  if new.returned < old.returned or old.money = 'charged' and new.charged <> old.charged then
    raise exception 'the charge of % is frozen', old.id using errcode = 'check_violation';
  end if;
  if old.phase in ('done','failed') and (new.phase <> old.phase and not (old.phase = 'done' and new.phase = 'failed')) then
    raise exception '% has ended', old.id using errcode = 'check_violation';
  end if;
  if old.free = 'back' and new.free <> 'back' or old.free = 'no' and new.free = 'back' then
    raise exception 'the free use of % is given back once', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger services_guard_task before update on services_tasks for each row execute function services_guard_task();

create table services_steps (
  id bigint generated always as identity primary key,
  task_id text not null references services_tasks,
  at timestamptz not null default clock_timestamp(),
  from_state text,
  to_state text not null,
  cause text not null default '',
  actor text not null,
  -- Of the person at the desk: what was done, for operators.
  note text not null default ''
);
create index services_steps_of on services_steps (task_id, id);
call make_append_only('services_steps');

-- Calls to suppliers, recorded before they are sent, with their idempotency key, so that a retry repeats the same call.
create table services_calls (
  key text primary key,
  task_id text not null references services_tasks,
  supplier text not null,
  verb text not null,
  state text not null default 'meant' check (state in ('meant','answered','refused')),
  answer jsonb,
  refused text,
  tries int not null default 0,
  meant_at timestamptz not null default clock_timestamp(),
  answered_at timestamptz,
  check ((state = 'meant') = (answered_at is null))
);
create index services_calls_task on services_calls (task_id);

-- Free uses of a period: '' for ever, else its name (2026-11).
create table services_quota (
  user_id text not null,
  service text not null,
  period text not null,
  used int not null check (used >= 0),
  primary key (user_id, service, period)
);

create table services_evidence (
  id bigint generated always as identity primary key,
  task_id text not null references services_tasks,
  at timestamptz not null default clock_timestamp(),
  operator_id text not null,
  kind text not null check (kind in ('note','reference','picture')),
  body text not null check (length(body) between 1 and 2000)
);
create index services_evidence_of on services_evidence (task_id, id);
call make_append_only('services_evidence');

revoke delete, truncate on services_tasks, services_calls, services_quota from mingxi_app;
