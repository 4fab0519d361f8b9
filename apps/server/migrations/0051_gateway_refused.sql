-- Gateway: calls that were refused before they were promised any money. They cost nothing and prove nothing; they are kept for a month,
-- for the person who looks for a reason. Rows are few however many calls there are: each process keeps so many a key and minute
-- (server/refused/recorder.ts), all others are only counted.

create table gateway_refused (
  account_id bigint not null,
  at timestamptz not null,
  -- `ref_` and the 24 characters of the request's id.
  id text not null,
  key_id text not null,
  cause text not null,
  status smallint not null,
  surface text not null check (surface in ('openai', 'anthropic', 'gemini')),
  path text not null,
  -- Of the catalogue; empty where the call named none of it, or was refused before its body was read.
  model text not null,
  asked text not null,
  message text not null,
  field text,
  total_ms int not null,
  primary key (account_id, at, id)
);
create index gateway_refused_age on gateway_refused using brin (at) with (pages_per_range = 16, autosummarize = on);

-- All of them, by hour: what the pages count.
create table gateway_refused_hours (
  account_id bigint not null,
  hour timestamptz not null,
  key_id text not null,
  model text not null,
  calls bigint not null check (calls > 0),
  -- How many of them have a row.
  kept bigint not null check (kept between 0 and calls),
  primary key (account_id, hour, key_id, model)
);
create index gateway_refused_hours_age on gateway_refused_hours (hour);
