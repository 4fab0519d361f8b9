-- What operators write down about a customer, for each other alone. A removed note keeps its row and loses its text.
create table backoffice_customer_notes (
  id text primary key check (id ~ '^cnt_[0-9A-Z]{26}$'),
  user_id text not null,
  text text check (length(text) between 1 and 2000),
  pinned boolean not null default false,
  made_by text not null,
  made_at timestamptz not null,
  removed_at timestamptz,
  removed_by text,
  check ((removed_at is null) = (removed_by is null)),
  check ((removed_at is null) = (text is not null)),
  check (removed_at is null or not pinned)
);
create index backoffice_customer_notes_of on backoffice_customer_notes (user_id, pinned desc, id desc) where removed_at is null;
revoke delete, truncate on backoffice_customer_notes from mingxi_app;

create function backoffice_guard_customer_note() returns trigger language plpgsql as $$
begin
  if old.removed_at is not null then
    raise exception 'note % was removed', old.id using errcode = 'check_violation';
  end if;
  if (new.id, new.user_id, new.made_by, new.made_at) is distinct from (old.id, old.user_id, old.made_by, old.made_at)
     or (new.removed_at is null and new.text is distinct from old.text) then
    raise exception 'what was written is frozen' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger backoffice_customer_notes_guard before update on backoffice_customer_notes for each row execute function backoffice_guard_customer_note();

-- A mail that holds no secret stays sealed for some days after it has left, so that operators can send it again.
alter table notices_mails
  add column repeatable boolean not null default false,
  add column kept bytea,
  -- The first of those that say the same.
  add column resent_from text,
  add constraint notices_mails_kept check (kept is null or (repeatable and state <> 'waiting'));
create index notices_mails_resent on notices_mails (resent_from) where resent_from is not null;
create index notices_mails_kept_age on notices_mails (ended_at) where kept is not null;
