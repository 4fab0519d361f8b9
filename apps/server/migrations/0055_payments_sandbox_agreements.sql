-- The sandbox company's own book of agreements, and its notices about them.

create table payments_sandbox_agreements (
  token text primary key,
  agreement_no text not null unique,
  method smallint not null,
  lang text not null,
  notify_url text not null,
  return_url text not null,
  state text not null default 'open' check (state in ('open','active','refused','ended')),
  -- The charge whose first call is lost on purpose.
  lost_trade text,
  label text,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create table payments_sandbox_agreement_notices (
  id bigint generated always as identity primary key,
  notice_id text not null,
  token text not null references payments_sandbox_agreements,
  body text not null,
  due_at timestamptz not null,
  tries int not null default 0,
  done_at timestamptz
);
create index payments_sandbox_agreement_notices_due on payments_sandbox_agreement_notices (due_at) where done_at is null;
-- Why a charge under an agreement was declined.
alter table payments_sandbox_trades add column refusal text;
