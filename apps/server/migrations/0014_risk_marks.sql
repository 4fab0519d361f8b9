-- What people have in common: who pays, where payouts go, whose papers, which browser. Keyed hashes, so that the table tells no card,
-- account or number; equal ones meet. A subject is a user's id, or 'operator:' and an operator's.
create table risk_marks (
  kind text not null check (kind in ('mailbox', 'payer', 'payout', 'person', 'device', 'place')),
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

-- The sandbox's payers have a name, as a buyer has an id at a channel.
alter table payments_sandbox_payments add column payer text;

-- A hold can be an operator's own idea. How long a reason must be is for the operators' rules to say.
alter table invitations_reviews add column opened_by text not null default 'system:signals';
alter table invitations_reviews drop constraint invitations_reviews_check;
alter table invitations_reviews add constraint invitations_reviews_decided
  check ((closed_at is null) = (decision is null) and (decision is null or (actor is not null and reason is not null)));
