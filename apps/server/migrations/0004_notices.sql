-- folds 0075_number_messages.sql (release 0.1)

-- Mails and text messages.

-- `content` is sealed with the installation's key and emptied once the mail is gone or given up.
create table notices_mails (
  id text primary key,
  dedupe text not null unique,
  template text not null,
  recipient text not null,
  content bytea,
  state text not null default 'waiting' check (state in ('waiting','sent','refused','expired')),
  vendor text,
  problem text,
  attempts int not null default 0,
  claimed_until timestamptz,
  good_until timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- A mail that holds no secret stays sealed for some days after it has left, so that operators can send it again.
  repeatable boolean not null default false,
  kept bytea,
  -- The first of those that say the same.
  resent_from text,
  check ((state = 'waiting') = (content is not null)),
  check ((state = 'waiting') = (ended_at is null)),
  constraint notices_mails_kept check (kept is null or (repeatable and state <> 'waiting'))
);
create index notices_mails_waiting on notices_mails (good_until) where state = 'waiting';
create index notices_mails_age on notices_mails (ended_at) where state <> 'waiting';
create index notices_mails_of on notices_mails (recipient, created_at desc, id desc);
create index notices_mails_resent on notices_mails (resent_from) where resent_from is not null;
create index notices_mails_kept_age on notices_mails (ended_at) where kept is not null;

-- The mailbox of the sandbox, readable on purpose.
create table notices_sandbox_mails (
  seq bigint generated always as identity primary key,
  message_id text not null,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  code text,
  at timestamptz not null
);
create index notices_sandbox_mails_recipient on notices_sandbox_mails (lower(recipient), seq desc);

-- Text messages, beside the mails: one row a message, content sealed while it waits and empty afterwards.
create table notices_sms (
  id text primary key,
  dedupe text not null unique,
  template text not null,
  recipient text not null check (recipient ~ '^\+[1-9]\d{6,14}$'),
  content bytea,
  state text not null default 'waiting' check (state in ('waiting','sent','refused','expired')),
  vendor text,
  -- Set before a vendor is called and cleared by a clear no: who may have taken a message whose attempt has no known end.
  maybe_taken_by text,
  problem text,
  attempts int not null default 0,
  claimed_until timestamptz,
  good_until timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'waiting') = (content is not null)),
  check ((state = 'waiting') = (ended_at is null))
);
create index notices_sms_waiting on notices_sms (good_until) where state = 'waiting';
create index notices_sms_age on notices_sms (ended_at) where state <> 'waiting';

-- Messages ordered in each hour: the budget against bombing (money.md A5).
create table notices_sms_hours (
  hour timestamptz primary key,
  count int not null check (count > 0)
);

-- The phone of the sandbox, readable on purpose.
create table notices_sandbox_sms (
  seq bigint generated always as identity primary key,
  message_id text not null,
  recipient text not null,
  text text not null,
  code text,
  at timestamptz not null
);
create index notices_sandbox_sms_recipient on notices_sandbox_sms (recipient, seq desc);
create index notices_sandbox_sms_message on notices_sandbox_sms (message_id);
