-- Account: who froze a user, when and why, and news of it for every process.

alter table account_users
  add column frozen_at timestamptz,
  add column frozen_reason text check (char_length(frozen_reason) between 1 and 500),
  add column frozen_by text;
update account_users set frozen_at = now(), frozen_reason = 'before reasons were kept', frozen_by = 'unknown' where status = 'frozen';
alter table account_users
  add constraint account_users_frozen check (num_nonnulls(frozen_at, frozen_reason, frozen_by) = case when status = 'frozen' then 3 else 0 end);

-- Whatever a process remembers of a user it forgets at once; the payload is the user's id.
create function account_status_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_status', new.id);
  return null;
end $$;
create trigger account_users_status after update of status on account_users
  for each row when (old.status is distinct from new.status) execute function account_status_changed();
