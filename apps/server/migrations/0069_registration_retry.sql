-- The password of a failed registration stays until this time, so that the member can try again without typing it. Null while the order runs.
alter table registration_secrets add column forget_at timestamptz;
create index registration_secrets_forget on registration_secrets (forget_at) where forget_at is not null;
