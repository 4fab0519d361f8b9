-- Accounts whose estimates fell short of what a vendor billed: their calls are read to the end when a client leaves. A row is the proof.
create table gateway_read_on (
  account_id bigint primary key,
  call_id text not null,
  estimated bigint not null check (estimated >= 0),
  billed bigint not null check (billed > estimated),
  noted_at timestamptz not null default now()
);

-- Processes keep keys in memory: each key of the account is read anew.
create function gateway_read_on_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('gateway_keys', encode(secret_hash, 'hex')) from gateway_keys where account_id = coalesce(new.account_id, old.account_id) and deleted_at is null;
  return null;
end $$;
create trigger gateway_read_on_news after insert or delete on gateway_read_on for each row execute function gateway_read_on_changed();
