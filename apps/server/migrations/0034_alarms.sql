-- Alarms that are kept until they are over, who is told of which, and what became of the telling.

create table backoffice_alarms (
  id text primary key check (id ~ '^alm_[0-9A-Z]{26}$'),
  name text not null check (length(name) between 1 and 80),
  -- Which one, where a name has many: a node, a queue, a supplier.
  key text not null default '' check (length(key) <= 120),
  severity text not null check (severity in ('minor','serious','critical')),
  detail text not null check (length(detail) <= 300),
  -- A state lasts until a look finds it gone; an event until it has not come again for a while.
  source text not null check (source in ('state','event')),
  raised_at timestamptz not null,
  last_at timestamptz not null,
  times bigint not null default 1 check (times > 0),
  -- Somebody looks after it: nobody else is told any more.
  taken_by text references backoffice_operators,
  taken_at timestamptz,
  closed_at timestamptz,
  check ((taken_by is null) = (taken_at is null))
);
create unique index backoffice_alarms_open on backoffice_alarms (name, key) where closed_at is null;
create index backoffice_alarms_over on backoffice_alarms (closed_at) where closed_at is not null;

-- Ways to reach an operator: from which severity, how long after the alarm, and in which hours it is left alone (minutes of Shanghai's day).
create table backoffice_alarm_ways (
  id text primary key check (id ~ '^alw_[0-9A-Z]{26}$'),
  operator_id text not null references backoffice_operators,
  kind text not null check (kind in ('mail','sms','webhook')),
  -- A number in E.164, an https address; empty for mail, which goes to the operator's own mailbox.
  address text not null check (length(address) <= 500),
  severity text not null check (severity in ('minor','serious','critical')),
  wait_minutes int not null default 0 check (wait_minutes between 0 and 1440),
  quiet_from int check (quiet_from between 0 and 1439),
  quiet_to int check (quiet_to between 0 and 1439),
  secret_sealed bytea,
  made_by text not null,
  made_at timestamptz not null,
  ended_at timestamptz,
  check ((quiet_from is null) = (quiet_to is null) and quiet_from is distinct from quiet_to or quiet_from is null and quiet_to is null),
  check ((secret_sealed is not null) = (kind = 'webhook')),
  check ((address = '') = (kind = 'mail'))
);
create unique index backoffice_alarm_ways_kept on backoffice_alarm_ways (operator_id, kind, address) where ended_at is null;
revoke delete, truncate on backoffice_alarm_ways from mingxi_app;

create table backoffice_alarm_deliveries (
  id text primary key check (id ~ '^ald_[0-9A-Z]{26}$'),
  way_id text not null references backoffice_alarm_ways,
  alarm_id text references backoffice_alarms,
  kind text not null check (kind in ('raised','closed','test')),
  body text not null,
  state text not null check (state in ('waiting','sent','failed')),
  attempts int not null default 0,
  problem text,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((alarm_id is null) = (kind = 'test')),
  check ((state = 'waiting') = (ended_at is null)),
  -- Each way hears of an alarm once, and once of its end.
  unique (alarm_id, way_id, kind)
);
create index backoffice_alarm_deliveries_of on backoffice_alarm_deliveries (way_id, created_at);
