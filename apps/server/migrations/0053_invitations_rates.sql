-- What was negotiated with one inviter: dollars for each person who counts, in place of the rules' reward and tiers, from a time until a time.
-- Rewards keep the amount that they arose with.
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
revoke delete, truncate on invitations_rates from mingxi_app;

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
create trigger invitations_rates_guard before insert or update on invitations_rates for each row execute function invitations_guard_rate();
