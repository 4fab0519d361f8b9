-- What somebody at the services' desk must type for a member, sealed, and gone once the order has ended. Order, money and time are the
-- services' (services_tasks).
create table registration_secrets (
  task_id text primary key,
  user_id text not null,
  sealed bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
create index registration_secrets_user on registration_secrets (user_id);
