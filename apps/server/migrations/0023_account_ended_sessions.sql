-- Tokens of sessions that were ended from another one (a new sign-in, the list of sessions, a changed password), so that
-- whoever still holds one is told so. Kept as long as the session would have lived.
create table account_ended_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  expires_at timestamptz not null
);
create index account_ended_sessions_age on account_ended_sessions (expires_at);
