-- folds 0070_audit_chain.sql

-- Fixed windows that begin with their first event. `subject` is a hash: no addresses at rest.
create table risk_counters (
  bucket text not null,
  subject bytea not null check (length(subject) = 32),
  count int not null,
  ends_at timestamptz not null,
  primary key (bucket, subject)
);
create index risk_counters_age on risk_counters (ends_at);

-- Captchas: proofs of work that were used, and slide puzzles. Both are short-lived and swept hourly.
create table risk_spent_proofs (
  proof bytea primary key check (length(proof) = 32),
  ends_at timestamptz not null
);
create index risk_spent_proofs_age on risk_spent_proofs (ends_at);

-- `answer` is sealed, `proof` is a hash: a reader of this table can solve nothing.
create table risk_puzzles (
  id text primary key,
  scene text not null,
  answer bytea not null,
  tries int not null default 0,
  state text not null default 'open' check (state in ('open','passed','spent')),
  proof bytea unique check (length(proof) = 32),
  ends_at timestamptz not null,
  check ((state = 'open') = (proof is null))
);
create index risk_puzzles_age on risk_puzzles (ends_at);
