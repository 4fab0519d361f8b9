-- Openings that an issuer refuses, or that take too long.

alter table cards_cards
  -- when the running attempt was asked for: promises and the end of its tries are counted from here
  add column asked_at timestamptz not null default now(),
  -- the last failed call of the running attempt, by its kind (platform/shared/supplier-error.ts); '' while there is none
  add column stuck text not null default '' check (stuck in ('', 'retryable', 'unknown')),
  -- `address` is what the issuer said that it holds, and may be shown
  add column address_known boolean not null default false;
update cards_cards set asked_at = created_at;
-- The issuer is asked once for the address of every card that exists.
update cards_cards set next_check_at = now() where card_ref is not null and state in ('active', 'frozen');

-- What operators look at: an attempt that has not ended within a day.
create index cards_cards_asked on cards_cards (asked_at) where state in ('requested', 'opening');

-- A refused holder is made anew under another key, with what was corrected meanwhile.
alter table cards_holders add column generation int not null default 0 check (generation >= 0);

-- Issuers that refused a person for good: not asked again until the person's data were saved anew after `at`.
create table cards_refusals (
  issuer text not null,
  user_id text not null,
  reason text not null,
  at timestamptz not null,
  primary key (issuer, user_id)
);
grant select, insert, update on cards_refusals to mingxi_app;

-- All years were taken back: whoever opens a card later opens a first one.
alter table cards_members add column left_at timestamptz;
