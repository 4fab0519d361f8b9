-- folds 0070_audit_chain.sql

-- Site: what readers say of help articles, counted by day. Nothing about the reader.
create table site_help_votes (
  day date not null,
  article text not null check (article ~ '^[a-z0-9-]{1,60}$'),
  language text not null check (language in ('zh','en')),
  answer text not null check (answer in ('yes','no','unclear','wrong','missing')),
  votes int not null check (votes > 0),
  primary key (day, article, language, answer)
);

-- What browsers refused on our pages because the content security policy forbids it, counted by day. Nothing about the
-- reader: paths without numbers and queries, hosts without paths.
create table site_policy_reports (
  day date not null,
  directive text not null check (length(directive) <= 60),
  blocked text not null check (length(blocked) <= 200),
  page text not null check (length(page) <= 200),
  reports int not null default 1 check (reports > 0),
  primary key (day, directive, blocked, page)
);

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
