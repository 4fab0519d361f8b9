-- folds 0075_number_messages.sql (release 0.1)

-- Invitations: who brought whom, what that is worth, and what became of it. Money stands in the ledger's `reward` accounts; each of
-- their entries has a row in invitations_entries, so that the account is the sum of rows that no payout has taken.

-- Promised rewards with their start: shown to inviters, never rewritten. Null switches a part off. Tiers: [{"from": 20, "reward": "2.5"}].
create table invitations_rules (
  version int primary key check (version > 0),
  effective_at timestamptz not null,
  reward_nano bigint not null check (reward_nano > 0 and reward_nano % 10000000 = 0),
  discount_nano bigint not null check (discount_nano >= 0),
  threshold_nano bigint not null check (threshold_nano > 0),
  hold_days int not null check (hold_days between 0 and 365),
  -- relations keep the version they began with for so long
  keep_days int not null check (keep_days between 0 and 3650),
  inviter_cap_nano bigint not null check (inviter_cap_nano > 0),
  programme_cap_nano bigint not null check (programme_cap_nano > 0),
  withdraw_min_nano bigint not null check (withdraw_min_nano > 0),
  tiers jsonb check (jsonb_typeof(tiers) = 'array'),
  second_nano bigint check (second_nano > 0 and second_nano % 10000000 = 0),
  cashback_percent text check (cashback_percent ~ '^\d{1,2}(\.\d{1,4})?$'),
  actor text not null,
  created_at timestamptz not null default now()
);

-- `folded`: 0 and O, 1 and I and L, 2 and Z, 5 and S, 8 and B are the same, so that no code looks like another's.
create table invitations_codes (
  code text primary key check (code ~ '^[A-Z0-9]{3,10}$'),
  folded text not null unique generated always as (translate(code, 'OILZSB', '011258')) stored,
  user_id text not null,
  chosen boolean not null,
  created_at timestamptz not null default now(),
  unique (user_id, chosen)
);

create table invitations_relations (
  invitee_id text primary key,
  inviter_id text not null check (inviter_id <> invitee_id),
  code text not null references invitations_codes,
  way text not null check (way in ('signup', 'later')),
  rule_version int not null references invitations_rules,
  -- the inviters above come back to the invitee within six steps
  in_cycle boolean not null,
  created_at timestamptz not null default now()
);
create index invitations_relations_inviter on invitations_relations (inviter_id, created_at);

create table invitations_reward_edges (
  from_state text not null,
  to_state text not null,
  primary key (from_state, to_state)
);

create table invitations_rewards (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('direct', 'second', 'cashback')),
  inviter_id text not null,
  invitee_id text not null references invitations_relations,
  -- The order that made it due, the cash it rests on, and how the amount came about.
  order_no text not null,
  base_nano bigint not null check (base_nano > 0),
  rule_version int not null references invitations_rules,
  rate text not null,
  amount_nano bigint not null check (amount_nano > 0),
  state text not null check (state in ('pending', 'held', 'refused', 'available', 'paid', 'clawed_back')),
  reason text not null default '',
  score int not null default 0,
  restored boolean not null default false,
  -- The month whose budgets it takes from.
  month date not null,
  available_at timestamptz not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  unique (invitee_id, kind),
  check (inviter_id <> invitee_id)
);
create index invitations_rewards_inviter on invitations_rewards (inviter_id, id);
create index invitations_rewards_due on invitations_rewards (available_at) where state = 'pending';

create table invitations_reward_steps (
  id bigint generated always as identity primary key,
  reward_id bigint not null references invitations_rewards,
  at timestamptz not null default clock_timestamp(),
  from_state text,
  to_state text not null,
  reason text not null
);
create index invitations_reward_steps_of on invitations_reward_steps (reward_id, id);

-- Transfers of the reward account to the balance or a withdrawal take its whole amount.
create table invitations_payouts (
  id bigint generated always as identity primary key,
  payout_no text not null unique,
  user_id text not null,
  way text not null check (way in ('balance', 'withdrawal')),
  amount_nano bigint not null check (amount_nano > 0),
  state text not null default 'done' check (state in ('done', 'returned')),
  created_at timestamptz not null default now(),
  check (state = 'done' or way = 'withdrawal')
);
create index invitations_payouts_user on invitations_payouts (user_id, id);

-- One row an entry of the reward account; `round` 1 after the one restoration. A payout takes them, a returned one lets them go.
create table invitations_entries (
  id bigint generated always as identity primary key,
  reward_id bigint not null references invitations_rewards,
  user_id text not null,
  kind text not null check (kind in ('earned', 'clawed_back', 'restored')),
  round smallint not null check (round in (0, 1)),
  amount_nano bigint not null check ((amount_nano < 0) = (kind = 'clawed_back') and amount_nano <> 0),
  payout_id bigint references invitations_payouts,
  created_at timestamptz not null default clock_timestamp(),
  unique (reward_id, kind, round)
);
create index invitations_entries_open on invitations_entries (user_id) where payout_id is null;
create index invitations_entries_payout on invitations_entries (payout_id) where payout_id is not null;

-- Budgets by month of Shanghai: of an inviter ('user:…') and of the programme. What is used never passes the cap it was used under.
create table invitations_budgets (
  scope text not null,
  month date not null,
  cap_nano bigint not null,
  used_nano bigint not null,
  primary key (scope, month),
  constraint invitations_budgets_cap check (used_nano between 0 and cap_nano)
);

-- Signals against a reward, as facts with their weights; kept whatever the decision is.
create table invitations_signals (
  reward_id bigint not null references invitations_rewards,
  signal text not null,
  weight int not null,
  facts jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (reward_id, signal)
);

-- While one is open, rewards of the inviter wait.
create table invitations_reviews (
  id bigint generated always as identity primary key,
  inviter_id text not null,
  due_at timestamptz not null,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  decision text check (decision in ('release', 'refuse')),
  actor text,
  reason text,
  -- A hold can be an operator's own idea.
  opened_by text not null default 'system:signals',
  constraint invitations_reviews_decided check ((closed_at is null) = (decision is null) and (decision is null or (actor is not null and reason is not null)))
);
create unique index invitations_reviews_open on invitations_reviews (inviter_id) where closed_at is null;

-- Terms negotiated with one inviter: dollars for each person who counts, instead of the rules' reward and tiers, from a start to an end.
-- Rewards keep the amount that they were created with.
create table invitations_rates (
  id bigint generated always as identity primary key,
  inviter_id text not null,
  reward_nano bigint not null check (reward_nano > 0 and reward_nano % 10000000 = 0),
  valid_from timestamptz not null,
  valid_until timestamptz not null,
  reason text not null check (length(reason) between 1 and 2000),
  made_by text not null,
  made_at timestamptz not null default now(),
  -- Taken back before its time.
  ended_at timestamptz,
  ended_by text,
  check (valid_from >= made_at),
  check (valid_until > valid_from and valid_until <= valid_from + interval '2 years'),
  check ((ended_at is null) = (ended_by is null))
);
create index invitations_rates_of on invitations_rates (inviter_id, valid_from);

insert into invitations_rules (version, effective_at, reward_nano, discount_nano, threshold_nano, hold_days, keep_days, inviter_cap_nano,
    programme_cap_nano, withdraw_min_nano, actor)
  values (1, '2026-01-01T00:00:00+08', 2000000000, 2000000000, 5000000000, 14, 90, 200000000000, 5000000000000, 100000000000, 'system');

insert into invitations_reward_edges (from_state, to_state) values
  ('pending','available'), ('pending','held'), ('pending','refused'), ('pending','clawed_back'),
  ('held','pending'), ('held','refused'), ('held','clawed_back'),
  ('available','paid'), ('available','clawed_back'), ('paid','available'), ('paid','clawed_back'),
  ('clawed_back','pending'), ('clawed_back','available'), ('clawed_back','paid');

-- Along edges only; what it was computed from never changes, and it is restored at most once.
create function invitations_guard_reward() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.state <> old.state and not exists (select from invitations_reward_edges where from_state = old.state and to_state = new.state) then
      raise exception 'reward % cannot go from % to %', old.id, old.state, new.state using errcode = 'check_violation';
    end if;
    if old.state = 'clawed_back' and new.state <> old.state and (old.restored or not new.restored) then
      raise exception 'reward % was restored already', old.id using errcode = 'check_violation';
    end if;
    if old.restored and not new.restored then
      raise exception 'reward % was restored already', old.id using errcode = 'check_violation';
    end if;
    if (new.kind, new.inviter_id, new.invitee_id, new.order_no, new.base_nano, new.rule_version, new.rate, new.amount_nano, new.month, new.created_at)
       is distinct from
       (old.kind, old.inviter_id, old.invitee_id, old.order_no, old.base_nano, old.rule_version, old.rate, old.amount_nano, old.month, old.created_at) then
      raise exception 'the figures of reward % are frozen', old.id using errcode = 'check_violation';
    end if;
    new.changed_at := clock_timestamp();
  end if;
  return new;
end $$;

create function invitations_note_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into invitations_reward_steps (reward_id, from_state, to_state, reason) values (new.id, null, new.state, new.reason);
  elsif new.state <> old.state then
    insert into invitations_reward_steps (reward_id, from_state, to_state, reason) values (new.id, old.state, new.state, new.reason);
  end if;
  return null;
end $$;

-- One at a time for an inviter; what was negotiated is frozen, and ends once.
create function invitations_guard_rate() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(hashtextextended('invitations.inviter:' || new.inviter_id, 0));
    if exists (select from invitations_rates where inviter_id = new.inviter_id and ended_at is null
        and tstzrange(valid_from, valid_until) && tstzrange(new.valid_from, new.valid_until)) then
      raise exception 'another rate of % holds then', new.inviter_id using errcode = 'exclusion_violation', constraint = 'invitations_rates_one';
    end if;
    return new;
  end if;
  if old.ended_at is not null or (new.id, new.inviter_id, new.reward_nano, new.valid_from, new.valid_until, new.reason, new.made_by, new.made_at)
     is distinct from (old.id, old.inviter_id, old.reward_nano, old.valid_from, old.valid_until, old.reason, old.made_by, old.made_at) then
    raise exception 'rate % is frozen', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger invitations_guard_reward before update on invitations_rewards for each row execute function invitations_guard_reward();
create trigger invitations_note_step after insert or update on invitations_rewards for each row execute function invitations_note_step();
create trigger invitations_rates_guard before insert or update on invitations_rates for each row execute function invitations_guard_rate();

call make_append_only('invitations_rules');
call make_append_only('invitations_codes');
call make_append_only('invitations_relations');
call make_append_only('invitations_reward_steps');
call make_append_only('invitations_signals');

revoke insert, update, delete, truncate on invitations_reward_edges from mingxi_app;
revoke delete, truncate on invitations_rewards from mingxi_app;
revoke delete, truncate on invitations_payouts from mingxi_app;
revoke delete, truncate on invitations_entries from mingxi_app;
revoke delete, truncate on invitations_budgets from mingxi_app;
revoke delete, truncate on invitations_reviews from mingxi_app;
revoke delete, truncate on invitations_rates from mingxi_app;
