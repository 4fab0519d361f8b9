-- folds 0075_number_messages.sql (release 0.1)

-- Risk: attempt counters, captchas, what people have in common, blocks.

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

-- Attributes that accounts share: payer, payout account, papers, browser, and, by network alone, where they sign in from (`network`) and
-- where their API keys are used from (`keys`): one network has the same digest in both. Keyed hashes, so that the table discloses no
-- card, account or number; equal values have equal hashes. A subject is a user's id, or 'operator:' and an operator's.
create table risk_marks (
  kind text not null check (kind in ('mailbox', 'payer', 'payout', 'person', 'device', 'place', 'network', 'keys')),
  digest bytea not null check (length(digest) = 32),
  key_id bytea not null,
  subject text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (kind, digest, subject)
);
create index risk_marks_subject on risk_marks (subject);
create index risk_marks_staff on risk_marks (kind, digest) where subject like 'operator:%';
create index risk_marks_old on risk_marks (last_at);

-- Blocks of sign-up, sign-in and payments: networks, mail domains, devices of a customer, payers on any account. Each has an end, an owner
-- and a reason in the audit.
create table risk_blocks (
  id text primary key check (id ~ '^rbl_[0-9A-Z]{26}$'),
  kind text not null constraint risk_blocks_kind check (kind in ('network','mailDomain','device','payer')),
  -- 203.0.113.0/24, example.com, or the customer whose devices they are.
  value text not null check (length(value) between 1 and 253),
  -- Hashes of the devices' names, or of a payer's ids at channels, under each key of the installation.
  digests bytea[] not null default '{}',
  note text not null default '' check (length(note) <= 200),
  made_by text not null,
  made_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > made_at and ends_at <= made_at + interval '366 days'),
  lifted_at timestamptz,
  lifted_by text,
  constraint risk_blocks_digests check ((kind in ('device','payer')) = (cardinality(digests) > 0)),
  constraint risk_blocks_check2 check ((lifted_at is null) = (lifted_by is null))
);
create unique index risk_blocks_kept on risk_blocks (kind, value) where lifted_at is null;

revoke delete, truncate on risk_blocks from mingxi_app;
