-- What a member's first API calls of a day cost and was given back, by Shanghai day. It only grows.
create table cards_free_days (
  user_id text not null,
  day date not null,
  given_nano bigint not null check (given_nano >= 0),
  changed_at timestamptz not null default now(),
  primary key (user_id, day)
);
revoke delete, truncate on cards_free_days from mingxi_app;
