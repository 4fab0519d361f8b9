-- What failed in browsers, and which ways to pay people choose, counted by day. Nothing about the reader: messages without
-- numbers, quotations and addresses, paths without what may name a person or an order.
create table site_page_errors (
  day date not null,
  kind text not null check (kind in ('error', 'promise', 'page')),
  message text not null check (length(message) <= 200),
  place text not null check (length(place) <= 120),
  page text not null check (length(page) <= 200),
  version text not null check (length(version) <= 20),
  times int not null default 1 check (times > 0),
  primary key (day, kind, message, place, page, version)
);

create table site_page_events (
  day date not null,
  event text not null check (event in ('channel_chosen', 'payment_submitted')),
  detail text not null check (length(detail) <= 20),
  times int not null default 1 check (times > 0),
  primary key (day, event, detail)
);
