-- Parts of an account that operators have frozen: its calls, or the money that leaves the house. The whole of it is frozen by its status.
create table account_freezes (
  user_id text not null references account_users,
  scope text not null check (scope in ('money_out','calls')),
  frozen_at timestamptz not null,
  reason text not null check (char_length(reason) between 1 and 500),
  frozen_by text not null,
  primary key (user_id, scope)
);
revoke update, truncate on account_freezes from mingxi_app;

-- As with the status: whatever a process remembers of the user it forgets at once.
create function account_freeze_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_status', coalesce(new.user_id, old.user_id));
  return null;
end $$;

create trigger account_freezes_news after insert or delete on account_freezes for each row execute function account_freeze_changed();
